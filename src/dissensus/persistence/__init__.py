"""Models on disk: files that are safe to open, and files of rows to predict."""

from dissensus.persistence._card import ModelCard
from dissensus.persistence._file import load_model, read_card, save_model
from dissensus.persistence._predict import predict_file, read_row

__all__ = [
    "ModelCard",
    "load_model",
    "predict_file",
    "read_card",
    "read_row",
    "save_model",
]
