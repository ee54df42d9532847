"""What a study is: data sets, learners, resampling and measures."""
