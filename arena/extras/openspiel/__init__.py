"""Play OpenSpiel's games in the arena, and the arena's games in OpenSpiel. Needs the extra
`openspiel`.
"""
