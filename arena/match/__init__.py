"""Play games between bots: the rules of refereeing, the time limits, and the communication with
bots.
"""
