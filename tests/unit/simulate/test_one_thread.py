"""The limit on threads of linear algebra, shared by the threads of Python."""

from contextlib import ExitStack

from threadpoolctl import threadpool_info, threadpool_limits

from tacit.simulate._one_thread import OneThread


def n_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_the_last_one_out_lifts_the_limit():
    with threadpool_limits(2, user_api="blas"):
        shared = OneThread()
        for _ in range(2):
            assert n_threads() == {2}
            with ExitStack() as second:
                with shared:
                    second.enter_context(shared)
                    assert n_threads() == {1}
                assert n_threads() == {1}
        assert n_threads() == {2}
