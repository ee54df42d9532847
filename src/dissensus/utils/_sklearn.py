"""The private names of scikit-learn that this package uses, imported here only."""

from sklearn.base import _fit_context as fit_context
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils._set_output import _get_output_config as get_output_config
from sklearn.utils.validation import _check_feature_names_in as check_feature_names_in
from sklearn.utils.validation import _check_sample_weight as check_sample_weight
from sklearn.utils.validation import _check_y as check_y

__all__ = [
    "HasMethods",
    "Interval",
    "StrOptions",
    "check_feature_names_in",
    "check_sample_weight",
    "check_y",
    "fit_context",
    "get_output_config",
]
