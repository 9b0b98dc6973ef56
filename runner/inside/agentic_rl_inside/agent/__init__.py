"""The user's AgentSDK wrapper inside the training process, where AgentSDK itself may be absent.

Layers, from the bottom; nothing but :mod:`.loop` needs verl:

* :mod:`.rules`: the names of all rules, and the one line in which a problem is logged.
* :mod:`.trajectory`, :mod:`.wrapper`, :mod:`.compat`: the names users import from ``agentic_rl``.
* :mod:`.requests`, :mod:`.completions`, :mod:`.serving`: ``self.completions`` and ``self.server_addresses``.
* :mod:`.recording`, :mod:`.alignment`: which tokens the model really generated.
* :mod:`.loading`, :mod:`.lane`, :mod:`.session`: from a file and tasks to checked trajectories.
* :mod:`.tasks`, :mod:`.gathering`, :mod:`.journal`, :mod:`.loop`: verl's rows in, verl's samples out.

``session.WrapperSession`` is what ``agentic-rl agent try`` uses. This module stays empty of imports.
"""
