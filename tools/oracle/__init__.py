"""How far our check agrees with the validations of verl itself: see docs/en/agreement.md."""
