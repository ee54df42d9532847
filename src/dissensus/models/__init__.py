"""Models on disk: files that are safe to open, and files of rows to predict."""

from dissensus.models._card import ModelCard
from dissensus.models._errors import ModelError
from dissensus.models._file import load_model, read_card, save_model
from dissensus.models._predict import predict_file, read_row

__all__ = [
    "ModelCard",
    "ModelError",
    "load_model",
    "predict_file",
    "read_card",
    "read_row",
    "save_model",
]
