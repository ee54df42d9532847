"""What every estimator of this package is made of."""

from dissensus.base._classifier import TableClassifier as TableClassifier
from dissensus.base._inputs import (
    check_labels as check_labels,
    read_inputs as read_inputs,
    read_training as read_training,
    remember_names as remember_names,
)
from dissensus.base._many_values import fewer_values as fewer_values
from dissensus.base._output import like_input as like_input, to_array as to_array
from dissensus.base._transformer import TableTransformer as TableTransformer

__all__ = []
