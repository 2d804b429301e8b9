"""What several extras share. The core has no use for it, and an extra uses no other one."""
