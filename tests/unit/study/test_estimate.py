"""What a session tells about the person, worked out from what the learner knows already."""

import pytest

from tacit.learners import ChoiceTopTwo, TopTwo
from tacit.study.estimate import estimate, retold
from tests.unit.study._people import steps, study

LEARNERS = {
    "plain": "",
    "sure": "[learner]\nconfidence = 0.99\n",
    "doubting": "[learner.options]\nlapse_share = 0.2\n",
    "random": '[learner]\nname = "RandomPairs"\n',
}


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_belief_is_that_of_a_learner_told_all_answers_again(learner):
    *_, last = steps(study(LEARNERS[learner]))
    session = last.session
    inner = getattr(session.study.learner, "learner", session.study.learner)
    believing = inner if type(inner) is TopTwo else TopTwo()
    told, again = estimate(session), retold(believing, session).belief
    items = session.study.problem.items
    utility = (items.features - items.features.mean(axis=0)) @ again.mean[0]
    assert told["barrier"] == again.barrier[0]
    for row in told["ranking"]:
        assert row["utility"] == utility[items.index(row["item_id"])]


def test_who_listens_to_choices_recommends_what_who_asks_would():
    *_, last = steps(study())
    asking = ChoiceTopTwo()
    expected = asking.recommend(retold(asking, last.session))
    told = estimate(last.session)["choice_only"]
    names = last.session.study.problem.items.names
    assert told["favourite"] == names[expected.item[0]]
    assert told["probability"] == float(expected.probability[0])
