// Filled by the parts that follow.
