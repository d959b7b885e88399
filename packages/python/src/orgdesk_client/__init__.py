"""A typed client of orgdesk."""

from .client import ApiError, Client, TokenSource
from .contract import VERSION as __version__
from .webhooks import WebhookError, WebhookMessage, verify_webhook

__all__ = ["ApiError", "Client", "TokenSource", "WebhookError", "WebhookMessage", "__version__", "verify_webhook"]
