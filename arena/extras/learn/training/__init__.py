"""A small training loop in numpy: imitation of a bot, then self-play and games against bots.

`python -m arena.extras.learn.training pot-de-vin/3` trains a policy, with its learning curve.
"""
