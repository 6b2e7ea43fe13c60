import warnings

import ibis
import numpy as np
import pytest

from tacit import fleet
from tacit.fleet import Log
from tacit.records import Trials
from tests.unit.fleet.conftest import answers, by_person, spoil


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    """Spark on this machine, in local mode; it and pandas warn of each other's age."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        folder = tmp_path_factory.mktemp("spark")
        session = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.warehouse.dir", str(folder))
            .config("spark.local.dir", str(folder))
            .getOrCreate()
        )
        yield ibis.pyspark.connect(session)
        session.stop()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rules", [Log(), Log(drop_fast=0.4, drop_slow=3.0, censor_above=1.5)])
def test_spark_duckdb_and_memory_agree_on_everybody(rng, spark, write, rules):
    columns, items = answers(rng)
    spoilt = spoil(columns)
    path = write(spoilt)
    found = fleet.fit(spark.read_parquet(str(path)), items, log=rules)
    others = [fleet.fit(path, items, log=rules, how=how) for how in ("stream", "query")]
    if rules == Log():
        trials = Trials.from_table(spoilt, items, person="person", on_invalid="exclude")
        others.append(fleet.fit(trials))
    rows = by_person(found.table)
    assert found.n_people == 12
    for other in others:
        assert other.n_trials == found.n_trials
        assert by_person(other.table).keys() == rows.keys()
        for person, row in by_person(other.table).items():
            assert row["flags"] == rows[person]["flags"]
            assert row["n_censored"] == rows[person]["n_censored"]
            for name in ("weights", "covariance", "barrier", "nondecision_time"):
                scale = np.abs(row[name]).max()
                np.testing.assert_allclose(
                    rows[person][name], row[name], rtol=1e-9, atol=1e-9 * scale
                )
