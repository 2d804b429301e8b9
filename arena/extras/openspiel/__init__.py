"""Play OpenSpiel's games in the arena, and games of the arena in OpenSpiel. Needs the extra
`openspiel`.
"""
