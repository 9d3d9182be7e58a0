"""What may catch a faulty system in a scenario that lets it pass: expectations, and small changes of the schedule."""
