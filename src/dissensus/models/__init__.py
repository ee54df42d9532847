"""Models on disk: files that are safe to open."""

from dissensus.models._card import ModelCard
from dissensus.models._errors import ModelError
from dissensus.models._file import load_model, read_card, save_model

__all__ = ["ModelCard", "ModelError", "load_model", "read_card", "save_model"]
