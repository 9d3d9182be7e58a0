"""A scenario as a chart over its ticks: lanes, events, lawful windows and runs, whatever format it is then drawn in."""
