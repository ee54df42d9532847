import os
import signal
import threading
import time

import pytest
import sklearn
from joblib import effective_n_jobs, parallel_config

from dissensus.utils._threads import in_threads, one_at_a_time


def test_results_stand_in_the_order_of_the_items() -> None:
    assert in_threads(lambda item: item * item, range(20), 2) == [
        item * item for item in range(20)
    ]


def test_one_job_works_in_the_callers_own_thread() -> None:
    def name(item: int) -> str:
        return threading.current_thread().name

    assert set(in_threads(name, range(3), 1)) == {threading.current_thread().name}
    assert threading.current_thread().name not in in_threads(name, range(3), 2)


def test_number_of_jobs_can_come_from_joblib() -> None:
    with parallel_config(n_jobs=2):
        names = in_threads(lambda item: threading.current_thread().name, range(3), None)
    assert threading.current_thread().name not in names


def test_work_inside_the_work_has_one_thread() -> None:
    assert in_threads(lambda item: effective_n_jobs(2), range(3), 2) == [1, 1, 1]


def test_threads_have_scikit_learns_settings_of_the_caller() -> None:
    def setting(item: int) -> bool:
        return bool(sklearn.get_config()["assume_finite"])

    with sklearn.config_context(assume_finite=True):
        assert in_threads(setting, range(3), 2) == [True, True, True]
    assert in_threads(setting, range(3), 2) == [False, False, False]


def test_another_backend_gets_the_work() -> None:
    with parallel_config("sequential"):
        names = in_threads(lambda item: threading.current_thread().name, range(3), 2)
    assert set(names) == {threading.current_thread().name}


def test_an_error_in_a_thread_is_the_callers() -> None:
    with pytest.raises(ZeroDivisionError):
        in_threads(lambda item: 1 / item, [1, 0, 2], 2)


def test_no_thread_enters_before_another_has_left() -> None:
    inside: list[int] = []

    def work(item: int) -> int:
        with one_at_a_time():
            inside.append(item)
            time.sleep(0.001)
            n_inside = len(inside)
            inside.remove(item)
        return n_inside

    assert set(in_threads(work, range(10), 2)) == {1}


def test_work_one_at_a_time_can_be_sent_to_another_process() -> None:
    cloudpickle = pytest.importorskip("cloudpickle")

    def work() -> str:
        with one_at_a_time():
            return "done"

    assert cloudpickle.loads(cloudpickle.dumps(work))() == "done"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_forked_process_does_not_wait_for_a_thread_it_has_not() -> None:
    entered, leave = threading.Event(), threading.Event()

    def stay() -> None:
        with one_at_a_time():
            entered.set()
            leave.wait()

    thread = threading.Thread(target=stay)
    thread.start()
    entered.wait()
    child = os.fork()
    if child == 0:
        with one_at_a_time():
            os._exit(0)
    for _ in range(1000):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.01)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    leave.set()
    thread.join()
    assert done
    assert status == 0
