<?php

// Made from the code of the server by `npm run client:types`. Do not edit.

declare(strict_types=1);

namespace Wheelhouse\Client;

/** The types of events that this version knows. A newer server may send others. */
final class EventType
{
    public const PLAYER_CREATED = 'player.created';
    public const SPINS_GRANTED = 'spins.granted';
    public const SPINS_CORRECTED = 'spins.corrected';
    public const SPINS_EXPIRING = 'spins.expiring';
    public const SPINS_EXPIRED = 'spins.expired';
    public const STREAK_CHANGED = 'streak.changed';
    public const ENTRY_CREATED = 'entry.created';
    public const ENTRY_VERIFIED = 'entry.verified';
    public const ENTRY_REFUSED = 'entry.refused';
    public const ENTRY_ANSWERED = 'entry.answered';
    public const CONSENT_WITHDRAWN = 'consent.withdrawn';
    public const LINK_CREATED = 'link.created';
    public const LINK_OPENED = 'link.opened';
    public const PLAYER_LIMITED = 'player.limited';
    public const PLAYER_BLOCKED = 'player.blocked';
    public const PLAYER_UNBLOCKED = 'player.unblocked';
    public const PLAY_COMPLETED = 'play.completed';
    public const PLAY_REFUSED = 'play.refused';
    public const PRIZE_HELD = 'prize.held';
    public const PRIZE_RELEASED = 'prize.released';
    public const PRIZE_REFUSED = 'prize.refused';
    public const PRIZE_WON = 'prize.won';
    public const PRIZE_CLAIMED = 'prize.claimed';
    public const PRIZE_REDEEMED = 'prize.redeemed';
    public const PRIZE_REDEMPTION_REVERSED = 'prize.redemption_reversed';
    public const PRIZE_CANCELLED = 'prize.cancelled';
    public const PRIZE_EXPIRED = 'prize.expired';
    public const PRIZE_STOCK_LOW = 'prize.stock_low';
    public const PRIZE_STOCK_OUT = 'prize.stock_out';
    public const WHEEL_PUBLISHED = 'wheel.published';
    public const WHEEL_PAUSED = 'wheel.paused';
    public const WHEEL_RESUMED = 'wheel.resumed';
    public const WHEEL_DRIFTED = 'wheel.drifted';
    public const WHEEL_PUBLICATION_FAILED = 'wheel.publication_failed';
    public const CAMPAIGN_CREATED = 'campaign.created';
    public const CAMPAIGN_CHANGED = 'campaign.changed';
    public const CAMPAIGN_CHANGE_FAILED = 'campaign.change_failed';
    public const CAMPAIGN_PAUSED = 'campaign.paused';
    public const CAMPAIGN_RESUMED = 'campaign.resumed';
    public const CAMPAIGN_OPENED = 'campaign.opened';
    public const CAMPAIGN_CLOSED = 'campaign.closed';
    public const CAMPAIGN_ARCHIVED = 'campaign.archived';
    public const CAMPAIGN_RESTORED = 'campaign.restored';
    public const TOKEN_ISSUED = 'token.issued';
    public const TOKEN_REVOKED = 'token.revoked';
    public const MESSAGE_SENT = 'message.sent';
    public const MESSAGE_FAILED = 'message.failed';
    public const WEBHOOK_DISABLED = 'webhook.disabled';
    public const WEBHOOK_TEST = 'webhook.test';
}
