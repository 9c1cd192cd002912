// Made from the code of the server by `npm run client:types`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        EventData: {
            /** @description A player is known for the first time. */
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
                 * @description `grant`: increaseSpin, a batch, or by hand; `initial`: the first game link; `prize`: won in a play.
                 * @example grant
                 * @enum {unknown}
                 */
                kind: "grant" | "initial" | "prize";
                /**
                 * @description The spins that the player had before.
                 * @example 2
                 */
                oldBalance: number;
                /**
                 * @description The spins that the player has after it.
                 * @example 7
                 */
                newBalance: number;
                /** @description The key that came with the request; null where there was none. */
                idempotencyKey: string | null;
                /** @description What was noted with it, if anything. */
                reason: string | null;
                /**
                 * @description Who did it by hand. Missing where your own system did.
                 * @example staff:anna@example.com
                 */
                by?: string;
            };
            /** @description Somebody has put a player's balance right by hand. */
            "spins.corrected": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * @description Spins that were added, or below zero taken away.
                 * @example -2
                 */
                amount: number;
                /**
                 * @description The spins that the player had before.
                 * @example 2
                 */
                oldBalance: number;
                /**
                 * @description The spins that the player has after it.
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
            };
            /** @description Spins that a player had not used in time are gone. */
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
                 * @description The spins that the player has after it.
                 * @example 7
                 */
                newBalance: number;
            };
            /** @description A game link was made. */
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
                 * @description From then on the link is dead.
                 * @example 2026-12-01T12:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * @description Who did it by hand. Missing where your own system did.
                 * @example staff:anna@example.com
                 */
                by?: string;
            };
            /** @description A player opened its game link. It may do so again and again; a page that lost the answer and asked again is told twice. */
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
            };
            /** @description A player asked for more than its pace allows and was refused: a program may be playing. Told once a minute by each server process. Block the player, revoke its links, or ask it to prove itself before its next link. */
            "player.limited": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * @description Whether it was spins, or openings of links.
                 * @example plays
                 * @enum {unknown}
                 */
                limit: "plays" | "sessions";
                /**
                 * @description How many it may.
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
                 * @description The id of the play.
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
                 * @description What stands on the wheel.
                 * @example Free coffee
                 */
                label: string;
                /**
                 * @description Whether that is a prize.
                 * @example true
                 */
                won: boolean;
                /** @description What was won, if so. */
                prize: {
                    /**
                     * @description The id of the prize on its wheel.
                     * @example coffee
                     */
                    prizeId: string;
                    /**
                     * @description What sort of prize it is, as in the wheel document.
                     * @example pool
                     * @enum {unknown}
                     */
                    kind: "none" | "spins" | "pool" | "fixed" | "link" | "points" | "handover";
                    /**
                     * @description What stands on the wheel.
                     * @example Free coffee
                     */
                    label: string;
                } | null;
                /** @description Why the published fallback stood in for the drawn prize; null where it did not. */
                fallbackReason: ("out_of_stock" | "out_of_stock_today" | "player_limit" | "not_winnable_now") | null;
                /**
                 * @description The spins that the player had before.
                 * @example 2
                 */
                oldBalance: number;
                /**
                 * @description The spins that the player has after it: less the one played, plus any that were won.
                 * @example 1
                 */
                newBalance: number;
            };
            /** @description A player has won a prize. */
            "prize.won": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the play.
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
                 * @description What stands on the wheel.
                 * @example Free coffee
                 */
                label: string;
                /**
                 * @description What sort of prize it is, as in the wheel document.
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
                /** @description Until when it can be claimed; null for ever. */
                claimBefore: string | null;
            };
            /** @description A player has claimed a prize. */
            "prize.claimed": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the play.
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
                 * @description The id of the play.
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
            };
            /** @description A prize was taken back. */
            "prize.cancelled": {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * Format: uuid
                 * @description The id of the play.
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
                 * @description What was noted with it.
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
                 * @description The id of the play.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70
                 */
                playId: string;
                /**
                 * @description The id of the prize on its wheel.
                 * @example coffee
                 */
                prizeId: string;
            };
            /** @description Few of a prize are left. */
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
                 * @description What stands on the wheel.
                 * @example Free coffee
                 */
                label: string;
                /**
                 * @description How many are left.
                 * @example 3
                 */
                left: number;
            };
            /** @description The last one of a prize was won. */
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
                 * @description What stands on the wheel.
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
            /** @description A wheel was paused: nobody can play it. */
            "wheel.paused": {
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
            };
            /** @description The pause of a wheel is over. */
            "wheel.resumed": {
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
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
                 * @description What it may do.
                 * @example [
                 *       "spins",
                 *       "links"
                 *     ]
                 */
                scopes: string[];
                /** @description From then on it is dead; null never. */
                expiresAt: string | null;
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
                 * @description What it may do.
                 * @example [
                 *       "spins",
                 *       "links"
                 *     ]
                 */
                scopes: string[];
                /**
                 * Format: date-time
                 * @description From then on it is dead: later than the event where a token was rotated.
                 * @example 2026-12-01T12:00:00.000Z
                 */
                deadFrom: string;
            };
            /** @description A webhook gets no more events until somebody resumes it. */
            "webhook.disabled": {
                /**
                 * @description The id of the webhook.
                 * @example wh_1
                 */
                webhookId: string;
                /**
                 * @description Its address, without the query and with long parts of the path cut: they may hold keys.
                 * @example https://shop.example/hooks?…
                 */
                url: string;
                /**
                 * @description Why it was disabled.
                 * @example answered 410 Gone
                 */
                reason: string;
            };
            /** @description Somebody asked for a test event. It is sent to one webhook at once, whatever its types are. It is not in the log: its `seq` is 0, and it can be neither pulled nor filtered for. */
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
