// Made from the code of the server by `npm run client:types`. Do not edit.
// SHA-256 of the document: bc3d56ddb2e15d4f738475a7f17c1d4a6a9d11e5e8cf1b35068a92c1a3585abb
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        EventData: {
            /** @description A player was created. */
            "player.created": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
            };
            /** @description A player got spins. */
            "spins.granted": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * @description How many.
                 * @example 5
                 */
                amount: number;
                /**
                 * @description `grant`: increaseSpin, a batch, or by hand; `initial`: the first game link; `prize`: won in a play; `free`: a free spin that was collected; `entry`: a visitor entered.
                 * @example grant
                 * @enum {unknown}
                 */
                kind: "grant" | "initial" | "prize" | "free" | "entry";
                /**
                 * @description The spins that the player had before.
                 * @example 2
                 */
                oldBalance: number;
                /**
                 * @description The spins that the player has now.
                 * @example 7
                 */
                newBalance: number;
                /** @description The idempotency key of the request; null if it had none. */
                idempotencyKey: string | null;
                /** @description The reason that was given, if any. */
                reason: string | null;
                /**
                 * @description Who did it by hand. Missing if your own system did it.
                 * @example staff:anna@example.com
                 */
                by?: string;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
                /**
                 * Format: date-time
                 * @description When the spins expire. Missing if they never do.
                 * @example 2026-12-01T12:00:00.000Z
                 */
                expiresAt?: string;
            };
            /** @description A player's balance was corrected by hand. */
            "spins.corrected": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * @description Spins that were added; below zero: removed.
                 * @example -2
                 */
                amount: number;
                /**
                 * @description The spins that the player had before.
                 * @example 2
                 */
                oldBalance: number;
                /**
                 * @description The spins that the player has now.
                 * @example 7
                 */
                newBalance: number;
                /**
                 * @description Why.
                 * @example shown twice
                 */
                reason: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by?: string;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description Some of a player's spins will expire soon. Once for each grant, the merchant's `spinExpiryNoticeHours` before. */
            "spins.expiring": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * @description The number of the ledger entry that granted them, among the player's entries.
                 * @example 12
                 */
                lot: number;
                /**
                 * @description How many of them are left.
                 * @example 5
                 */
                amount: number;
                /**
                 * Format: date-time
                 * @description When they expire.
                 * @example 2026-12-01T12:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * @description The spins that the player has now.
                 * @example 7
                 */
                balance: number;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description Some of a player's spins expired: what was left of one grant. */
            "spins.expired": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * @description How many.
                 * @example 5
                 */
                amount: number;
                /**
                 * @description The spins that the player had before.
                 * @example 2
                 */
                oldBalance: number;
                /**
                 * @description The spins that the player has now.
                 * @example 7
                 */
                newBalance: number;
                /**
                 * @description The number of the ledger entry that granted them, among the player's entries.
                 * @example 12
                 */
                lot?: number;
                /**
                 * Format: date-time
                 * @description When they expired. The event may be later: it is sent when this is noticed.
                 * @example 2026-12-01T12:00:00.000Z
                 */
                expiresAt?: string;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A player has collected free spins, and the streak has grown or begun anew. Periods in which the game was closed, paused or down break no streak. A streak that is over is noticed when the player comes back. */
            "streak.changed": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * @description The streak before; 0 for none.
                 * @example 6
                 */
                oldStreak: number;
                /**
                 * @description The streak now.
                 * @example 7
                 */
                newStreak: number;
                /**
                 * @description The player's longest streak.
                 * @example 12
                 */
                bestStreak: number;
                /**
                 * @description Extra spins for a streak of this length, among those that were collected.
                 * @example 3
                 */
                extraSpins: number;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A visitor entered a campaign. */
            "entry.created": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the entry.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72
                 */
                entryId: string;
                /**
                 * @description What the visitor agreed to.
                 * @example []
                 */
                consents: {
                    /**
                     * @description The id of the field.
                     * @example news
                     */
                    field: string;
                    /**
                     * @example marketing
                     * @enum {unknown}
                     */
                    purpose: "marketing" | "other";
                    /**
                     * @description `confirmed`: a code proved the address. Send marketing mail only then.
                     * @example confirmed
                     * @enum {unknown}
                     */
                    state: "given" | "confirmed";
                }[];
                /**
                 * @description Whether a code proved the address.
                 * @example true
                 */
                isVerified: boolean;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A code proved the address of a visitor who had entered before. */
            "entry.verified": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the entry.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72
                 */
                entryId: string;
                /**
                 * @description What the visitor agreed to.
                 * @example []
                 */
                consents: {
                    /**
                     * @description The id of the field.
                     * @example news
                     */
                    field: string;
                    /**
                     * @example marketing
                     * @enum {unknown}
                     */
                    purpose: "marketing" | "other";
                    /**
                     * @description `confirmed`: a code proved the address. Send marketing mail only then.
                     * @example confirmed
                     * @enum {unknown}
                     */
                    state: "given" | "confirmed";
                }[];
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A visitor was refused. Nothing about the visitor is kept. */
            "entry.refused": {
                /**
                 * @description The code of the refusal.
                 * @example entry_known
                 * @enum {unknown}
                 */
                reason: "entry_known" | "entry_too_young" | "address_disposable";
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A visitor answered the form after a win, or the one to claim a prize. */
            "entry.answered": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the entry.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72
                 */
                entryId: string;
                /**
                 * @description What the visitor agreed to.
                 * @example []
                 */
                consents: {
                    /**
                     * @description The id of the field.
                     * @example news
                     */
                    field: string;
                    /**
                     * @example marketing
                     * @enum {unknown}
                     */
                    purpose: "marketing" | "other";
                    /**
                     * @description `confirmed`: a code proved the address. Send marketing mail only then.
                     * @example confirmed
                     * @enum {unknown}
                     */
                    state: "given" | "confirmed";
                }[];
                /**
                 * @description Which form it was.
                 * @example toClaim
                 * @enum {unknown}
                 */
                asked: "afterWin" | "toClaim";
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A visitor withdrew consents. Send nothing any more that needs them. */
            "consent.withdrawn": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the entry.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72
                 */
                entryId: string;
                /**
                 * @description What was withdrawn.
                 * @example [
                 *       {
                 *         "field": "news",
                 *         "purpose": "marketing"
                 *       }
                 *     ]
                 */
                consents: {
                    /**
                     * @description The id of the field.
                     * @example news
                     */
                    field: string;
                    /**
                     * @example marketing
                     * @enum {unknown}
                     */
                    purpose: "marketing" | "other";
                }[];
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A link to the game, or to the wallet, was created. */
            "link.created": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * @description The id of the link. The link itself is never in an event.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a71
                 */
                linkId: string;
                /**
                 * Format: date-time
                 * @description When the link expires.
                 * @example 2026-12-01T12:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * @description Who did it by hand. Missing if your own system did it.
                 * @example staff:anna@example.com
                 */
                by?: string;
                /**
                 * @description The id of the campaign, or `*` for the lobby. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
                /**
                 * @description What the link opens, if it is not the game.
                 * @example wallet
                 * @constant
                 */
                opens?: "wallet";
            };
            /** @description A player opened its game link. A link can be opened many times. A page that stays open and asks for news causes no further event; one that repeats its first request after a lost answer causes two. */
            "link.opened": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * @description The id of the link. The link itself is never in an event.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a71
                 */
                linkId: string;
                /**
                 * @description The id of the campaign, or `*` for the lobby. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A player exceeded a rate limit and was refused; it may be a bot. At most one event per minute and server process. Block the player, revoke its links, or verify the player before the next link. */
            "player.limited": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * @description The limit: plays, or openings of links.
                 * @example plays
                 * @enum {unknown}
                 */
                limit: "plays" | "sessions";
                /**
                 * @description The limit, per minute.
                 * @example 120
                 */
                perMinute: number;
            };
            /** @description A player was blocked from spins, links and plays. */
            "player.blocked": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by: string;
            };
            /** @description The block of a player ended. */
            "player.unblocked": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by: string;
            };
            /** @description A player has spun the wheel. */
            "play.completed": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the play, unique among the player's plays.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70
                 */
                playId: string;
                /**
                 * @description Counts the plays of this player.
                 * @example 12
                 */
                playNo: number;
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
                /**
                 * @description The version of the wheel.
                 * @example 3
                 */
                wheelVersion: number;
                /**
                 * @description Where the wheel came to rest: the place in the list of segments, from 0.
                 * @example 4
                 */
                segment: number;
                /**
                 * @description The text on the wheel.
                 * @example Free coffee
                 */
                label: string;
                /**
                 * @description Whether the player won a prize.
                 * @example true
                 */
                won: boolean;
                /** @description The prize; null if none was won. */
                prize: {
                    /**
                     * @description The id of the prize on its wheel.
                     * @example coffee
                     */
                    prizeId: string;
                    /**
                     * @description The kind of the prize, as in the wheel document.
                     * @example pool
                     * @enum {unknown}
                     */
                    kind: "none" | "spins" | "pool" | "fixed" | "link" | "points" | "handover";
                    /**
                     * @description The text on the wheel.
                     * @example Free coffee
                     */
                    label: string;
                } | null;
                /** @description Why the fallback replaced the drawn prize; null if it did not. */
                fallbackReason: ("out_of_stock" | "out_of_stock_today" | "player_limit" | "not_winnable_now" | "not_released" | "budget") | null;
                /**
                 * @description The spins that the player had before.
                 * @example 2
                 */
                oldBalance: number;
                /**
                 * @description The spins that the player has now: minus the one played, plus any that were won.
                 * @example 1
                 */
                newBalance: number;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A play was refused after the page had sent its seed. Nothing was played. A few are normal, such as when a wheel is published or paused while people play; many of one player are worth a look. */
            "play.refused": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the play, unique among the player's plays.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70
                 */
                playId: string;
                /**
                 * @description The code of the refusal.
                 * @example play_outdated
                 * @enum {unknown}
                 */
                reason: "play_outdated" | "wheel_paused" | "wheel_closed" | "no_spins";
            };
            /** @description A player has won a prize that is held until staff have checked it. `prize.won` follows if they release it. */
            "prize.held": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the play, unique among the player's plays.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70
                 */
                playId: string;
                /**
                 * @description The id of the prize on its wheel.
                 * @example coffee
                 */
                prizeId: string;
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
                /**
                 * @description The text on the wheel.
                 * @example Free coffee
                 */
                label: string;
                /**
                 * @description The kind of the prize, as in the wheel document.
                 * @example pool
                 * @enum {unknown}
                 */
                kind: "none" | "spins" | "pool" | "fixed" | "link" | "points" | "handover";
                /**
                 * Format: date-time
                 * @description By when the player is told to expect the decision.
                 * @example 2026-12-01T12:00:00.000Z
                 */
                heldUntil: string;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A held prize was released. `prize.won` is the next event. */
            "prize.released": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the play, unique among the player's plays.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70
                 */
                playId: string;
                /**
                 * @description The id of the prize on its wheel.
                 * @example coffee
                 */
                prizeId: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by?: string;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A held prize was refused. The player does not get it. */
            "prize.refused": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the play, unique among the player's plays.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70
                 */
                playId: string;
                /**
                 * @description The id of the prize on its wheel.
                 * @example coffee
                 */
                prizeId: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by?: string;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
                /**
                 * @description The reason that the player reads.
                 * @example terms_not_met
                 * @enum {unknown}
                 */
                reason: "terms_not_met" | "entered_repeatedly" | "details_not_confirmed" | "technical_error";
            };
            /** @description A player has won a prize. One that was held: it was released. */
            "prize.won": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the play, unique among the player's plays.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70
                 */
                playId: string;
                /**
                 * @description The id of the prize on its wheel.
                 * @example coffee
                 */
                prizeId: string;
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
                /**
                 * @description The text on the wheel.
                 * @example Free coffee
                 */
                label: string;
                /**
                 * @description The kind of the prize, as in the wheel document.
                 * @example pool
                 * @enum {unknown}
                 */
                kind: "none" | "spins" | "pool" | "fixed" | "link" | "points" | "handover";
                /**
                 * @description How many spins were won.
                 * @example 5
                 */
                spins?: number;
                /**
                 * @description The code: from a pool, or the fixed code of the wheel.
                 * @example CAFE-7Q2X
                 */
                code?: string;
                /**
                 * @description The address that the player is sent to.
                 * @example https://shop.example/win
                 */
                url?: string;
                /**
                 * @description How many loyalty points were won.
                 * @example 500
                 */
                points?: number;
                /**
                 * @description What the player shows at the till. Only prizes that are handed over have a number.
                 * @example 6GX4R-2K9QD
                 */
                number?: string;
                /** @description The end of the claim period; null if there is none. */
                claimBefore: string | null;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A prize was claimed for a player, by a token or a person. */
            "prize.claimed": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the play, unique among the player's plays.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70
                 */
                playId: string;
                /**
                 * @description The id of the prize on its wheel.
                 * @example coffee
                 */
                prizeId: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by?: string;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A prize was handed over or used. */
            "prize.redeemed": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the play, unique among the player's plays.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70
                 */
                playId: string;
                /**
                 * @description The id of the prize on its wheel.
                 * @example coffee
                 */
                prizeId: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by?: string;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A redemption was taken back. The prize is claimed and open again. */
            "prize.redemption_reversed": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the play, unique among the player's plays.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70
                 */
                playId: string;
                /**
                 * @description The id of the prize on its wheel.
                 * @example coffee
                 */
                prizeId: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by?: string;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
                /**
                 * @description The reason that was given.
                 * @example wrong customer
                 */
                reason?: string;
            };
            /** @description A prize was cancelled. */
            "prize.cancelled": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the play, unique among the player's plays.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70
                 */
                playId: string;
                /**
                 * @description The id of the prize on its wheel.
                 * @example coffee
                 */
                prizeId: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by?: string;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
                /**
                 * @description The reason that was given.
                 * @example fraud
                 */
                reason?: string;
            };
            /** @description A prize was not claimed in time. */
            "prize.expired": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the play, unique among the player's plays.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70
                 */
                playId: string;
                /**
                 * @description The id of the prize on its wheel.
                 * @example coffee
                 */
                prizeId: string;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A tenth of the stock of a prize is left, rounded down. Not for a stock below 10. */
            "prize.stock_low": {
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
                /**
                 * @description The id of the prize on its wheel.
                 * @example coffee
                 */
                prizeId: string;
                /**
                 * @description The text on the wheel.
                 * @example Free coffee
                 */
                label: string;
                /**
                 * @description How many are left.
                 * @example 3
                 */
                left: number;
            };
            /** @description The stock of a prize is empty. */
            "prize.stock_out": {
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
                /**
                 * @description The id of the prize on its wheel.
                 * @example coffee
                 */
                prizeId: string;
                /**
                 * @description The text on the wheel.
                 * @example Free coffee
                 */
                label: string;
                /**
                 * @description How many are left.
                 * @example 3
                 */
                left: number;
            };
            /** @description A version of a wheel was published. */
            "wheel.published": {
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
                /**
                 * @description The version of the wheel.
                 * @example 3
                 */
                version: number;
            };
            /** @description A wheel was paused. Players cannot play it. */
            "wheel.paused": {
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
            };
            /** @description The pause of a wheel ended. */
            "wheel.resumed": {
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
            };
            /** @description A prize was drawn more or less often than chance explains: beyond six standard deviations, over the last 30 days. Checked once a day. Verify the plays: something is wrong. */
            "wheel.drifted": {
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
                /**
                 * @description The id of the prize on its wheel.
                 * @example coffee
                 */
                prizeId: string;
                /**
                 * @description The text on the wheel.
                 * @example Free coffee
                 */
                label: string;
                /**
                 * @description How often it was drawn.
                 * @example 412
                 */
                draws: number;
                /**
                 * @description How often chance draws it.
                 * @example 250
                 */
                expected: number;
                /**
                 * Format: date-time
                 * @description The start of the time that was compared.
                 * @example 2026-12-01T12:00:00.000Z
                 */
                from: string;
            };
            /** @description A scheduled publication failed, because the wheel has problems by now. Nothing was published, and it is not tried again. */
            "wheel.publication_failed": {
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
                /**
                 * Format: date-time
                 * @description When it was to be published.
                 * @example 2026-12-01T12:00:00.000Z
                 */
                publishAt: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by: string;
                /**
                 * @description The problems.
                 * @example [
                 *       {
                 *         "pointer": "/segments/0/prize/pool",
                 *         "detail": "has no codes left"
                 *       }
                 *     ]
                 */
                errors: {
                    /** @description The field, as a JSON pointer. */
                    pointer: string;
                    /** @description What is wrong. */
                    detail: string;
                }[];
            };
            /** @description A campaign was created. */
            "campaign.created": {
                /**
                 * @description The id of the campaign; also `main`.
                 * @example summer
                 */
                campaign: string;
                /**
                 * @description The name of the campaign.
                 * @example Summer sale
                 */
                name: string;
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
                /**
                 * @description The id of the campaign that its spins belong to: its own, or that of the one it shares with.
                 * @example summer
                 */
                purse: string;
                /** @description From when on spins can be used; null for no limit. */
                opensAt: string | null;
                /** @description Until when; null for no limit. */
                closesAt: string | null;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by: string;
            };
            /** @description The settings of a campaign were changed. */
            "campaign.changed": {
                /**
                 * @description The id of the campaign; also `main`.
                 * @example summer
                 */
                campaign: string;
                /**
                 * @description The name of the campaign.
                 * @example Summer sale
                 */
                name: string;
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
                /**
                 * @description The id of the campaign that its spins belong to: its own, or that of the one it shares with.
                 * @example summer
                 */
                purse: string;
                /** @description From when on spins can be used; null for no limit. */
                opensAt: string | null;
                /** @description Until when; null for no limit. */
                closesAt: string | null;
                /**
                 * @description The names of the changed settings.
                 * @example [
                 *       "name",
                 *       "closesAt"
                 *     ]
                 */
                changed: string[];
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by: string;
            };
            /** @description The scheduled change of a campaign to another wheel failed. Nothing was changed, and it is not tried again. */
            "campaign.change_failed": {
                /**
                 * @description The id of the campaign; also `main`.
                 * @example summer
                 */
                campaign: string;
                /**
                 * @description The id of the wheel that it was to get.
                 * @example autumn
                 */
                wheel: string;
                /**
                 * Format: date-time
                 * @description When it was to get it.
                 * @example 2026-12-01T12:00:00.000Z
                 */
                changeAt: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by: string;
                /**
                 * @description Why it failed.
                 * @example The wheel is not published.
                 */
                reason: string;
            };
            /** @description A campaign was paused. Players cannot play it. */
            "campaign.paused": {
                /**
                 * @description The id of the campaign; also `main`.
                 * @example summer
                 */
                campaign: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by: string;
            };
            /** @description The pause of a campaign ended. */
            "campaign.resumed": {
                /**
                 * @description The id of the campaign; also `main`.
                 * @example summer
                 */
                campaign: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by: string;
            };
            /** @description The time `opensAt` of a campaign has passed, or an ended campaign got a later `closesAt`. The opening hours of its wheel cause no events, nor does a campaign without `opensAt`. */
            "campaign.opened": {
                /**
                 * @description The id of the campaign; also `main`.
                 * @example summer
                 */
                campaign: string;
                /** @description From when on spins can be used; null for no limit. */
                opensAt: string | null;
                /** @description Until when; null for no limit. */
                closesAt: string | null;
            };
            /** @description The time `closesAt` of a campaign has passed. It accepts no more spins, links and plays. */
            "campaign.closed": {
                /**
                 * @description The id of the campaign; also `main`.
                 * @example summer
                 */
                campaign: string;
                /** @description From when on spins can be used; null for no limit. */
                opensAt: string | null;
                /** @description Until when; null for no limit. */
                closesAt: string | null;
            };
            /** @description A campaign was archived. Balances are kept. */
            "campaign.archived": {
                /**
                 * @description The id of the campaign; also `main`.
                 * @example summer
                 */
                campaign: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by: string;
            };
            /** @description An archived campaign was restored. */
            "campaign.restored": {
                /**
                 * @description The id of the campaign; also `main`.
                 * @example summer
                 */
                campaign: string;
                /**
                 * @description Who did it.
                 * @example token:acme-3f9c
                 */
                by: string;
            };
            /** @description A service token was issued. */
            "token.issued": {
                /**
                 * @description The identifier of the service token: the part before the colon.
                 * @example acme-3f9c
                 */
                tokenId: string;
                /**
                 * @description What the token is for.
                 * @example shop server
                 */
                name: string;
                /**
                 * @description Its scopes.
                 * @example [
                 *       "spins",
                 *       "links"
                 *     ]
                 */
                scopes: string[];
                /** @description When it expires; null for never. */
                expiresAt: string | null;
                /**
                 * @description The campaign that it is bound to, if any.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A service token was revoked. */
            "token.revoked": {
                /**
                 * @description The identifier of the service token: the part before the colon.
                 * @example acme-3f9c
                 */
                tokenId: string;
                /**
                 * @description What the token is for.
                 * @example shop server
                 */
                name: string;
                /**
                 * @description Its scopes.
                 * @example [
                 *       "spins",
                 *       "links"
                 *     ]
                 */
                scopes: string[];
                /**
                 * Format: date-time
                 * @description When it stops working. After a rotation, this is later than the event.
                 * @example 2026-12-01T12:00:00.000Z
                 */
                deadFrom: string;
            };
            /** @description The SMTP server has accepted a message to a player. */
            "message.sent": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the message, also in its header `Message-ID`.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a73
                 */
                messageId: string;
                /**
                 * @description `won`: a prize was won; `claim_ends`: its last day is near; `spins_waiting`: there are spins to play; `spins_expire`: some expire soon.
                 * @example won
                 * @enum {unknown}
                 */
                kind: "won" | "claim_ends" | "spins_waiting" | "spins_expire";
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A message to a player was given up. A message that is not needed any more causes no event. */
            "message.failed": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the message, also in its header `Message-ID`.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a73
                 */
                messageId: string;
                /**
                 * @description `won`: a prize was won; `claim_ends`: its last day is near; `spins_waiting`: there are spins to play; `spins_expire`: some expire soon.
                 * @example won
                 * @enum {unknown}
                 */
                kind: "won" | "claim_ends" | "spins_waiting" | "spins_expire";
                /**
                 * @description The verdict on the last reply of the SMTP server (docs/mail.md).
                 * @example address_dead
                 */
                reason: string;
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
            /** @description A webhook was disabled. It gets no events until it is resumed. */
            "webhook.disabled": {
                /**
                 * @description The id of the webhook.
                 * @example wh_1
                 */
                webhookId: string;
                /**
                 * @description Its URL, without the query and with long parts of the path cut, because they may contain keys.
                 * @example https://shop.example/hooks?…
                 */
                url: string;
                /**
                 * @description Why it was disabled.
                 * @example answered 410 Gone
                 */
                reason: string;
            };
            /** @description A test event was requested. It is sent to one webhook at once, whatever its types are. It is not in the log: its `seq` is 0, and it can be neither read nor filtered for. */
            "webhook.test": Record<string, never>;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
export type EventData = components['schemas']['EventData']
