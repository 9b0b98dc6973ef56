"""`agentic-rl cluster`: Ray on this node."""
