"""What the training process imports so that unmodified verl 0.9.1 trains on a CPU.

The folder that holds this package goes alone on the training interpreter's ``PYTHONPATH``. verl then loads

* :mod:`.platform_cpu` through ``VERL_USE_EXTERNAL_MODULES`` (chosen by ``VERL_PLATFORM=cpu``),
* :mod:`.engines` through ``actor_rollout_ref.model.external_lib``,
* :mod:`.loops` through ``actor_rollout_ref.rollout.agent.agent_loop_config_path``,
* :mod:`.replay` through ``trainer.v1.sampler.custom_sampler``.

``cpu_overrides.yaml`` beside this file lists every override and environment variable with its reason. This
module stays empty: the rollout server and the quick start import the package without paying for verl's
import.
"""
