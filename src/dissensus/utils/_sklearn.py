"""The private names of scikit-learn that this package uses, imported here only."""

from typing import Any

from sklearn.base import _fit_context as fit_context
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    StrOptions,
    validate_parameter_constraints,
)
from sklearn.utils._set_output import _get_output_config as get_output_config
from sklearn.utils.validation import (
    _check_feature_names_in as check_feature_names_in,
    _check_sample_weight as check_sample_weight,
    _check_y as check_y,
)

__all__ = [
    "HasMethods",
    "Interval",
    "StrOptions",
    "check_feature_names_in",
    "check_sample_weight",
    "check_y",
    "fit_context",
    "get_output_config",
    "predictor_record_dtype",
    "validate_parameter_constraints",
]


def predictor_record_dtype() -> Any:
    """Return the type of the nodes of histogram boosting, imported when it is asked."""
    from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE

    return PREDICTOR_RECORD_DTYPE
