// Made from the code of the server by `npm run client:types`. Do not edit.
export interface paths {
    "/api/player/increaseSpin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Increase the number of spins
         * @description Adds spins to a player, who is created if need be. Two calls are two additions, unless they carry the same `Idempotency-Key`: then the second gets the answer of the first, with the header `Idempotent-Replayed: true`.
         */
        post: operations["increaseSpin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/sso": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a game link
         * @description Makes a new link for a player, who is created if need be. Every call makes another link; earlier ones stay valid until they expire or are revoked. To repeat the call is safe: `initialSpin` is granted once per player.
         */
        post: operations["createGameLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wheels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List wheels */
        get: operations["listWheels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wheels/{wheel}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a wheel */
        get: operations["readWheel"];
        /**
         * Save the draft of a wheel
         * @description Creates the wheel if it is new. Players see nothing of it until it is published. With `If-Match`, a draft that somebody else has changed is refused.
         */
        put: operations["saveWheel"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wheels/{wheel}/simulation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check and simulate a draft
         * @description What would keep it from being published, the chance of each prize, what a day costs, and when stock runs out.
         */
        post: operations["simulateWheel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wheels/{wheel}/publication": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish the draft
         * @description Makes the draft the version that is played from now on. Refuses what would not work.
         */
        post: operations["publishWheel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wheels/{wheel}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Pause a wheel */
        put: operations["pauseWheel"];
        post?: never;
        /** Resume a wheel */
        delete: operations["resumeWheel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wheels/{wheel}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Let game links open this wheel */
        put: operations["openWheelByLinks"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wheels/{wheel}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the published versions and what was given out */
        get: operations["listWheelVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wheels/{wheel}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a published version
         * @description As it was written, with stock and limits. Save it as the draft to go back to it.
         */
        get: operations["readWheelVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wheels/{wheel}/difference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two versions, or one with the draft
         * @description Segments go by their id, whatever their place.
         */
        get: operations["compareWheelVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/code-pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List code pools */
        get: operations["listCodePools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/code-pools/{pool}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a code pool */
        get: operations["readCodePool"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/code-pools/{pool}/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add codes to a pool
         * @description Creates the pool if it is new. Codes that it already has are passed over, so an upload may be repeated.
         */
        post: operations["uploadCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/code-pools/{pool}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add codes to a pool from a file
         * @description A file of any number of codes: one in each line, the first column of a CSV, or NDJSON (texts, or objects with `code`). They are added as they arrive; what was cut off or refused in the middle is repeated without harm.
         */
        post: operations["streamCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List and search players
         * @description In the order of their ids, byte by byte.
         */
        get: operations["listPlayers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{playerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a player */
        get: operations["readPlayer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{playerId}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Block a player
         * @description A blocked player gets no spins and no links, and can not play. Holds at once.
         */
        put: operations["blockPlayer"];
        post?: never;
        /**
         * Unblock a player
         * @description A blocked player gets no spins and no links, and can not play. Holds at once.
         */
        delete: operations["unblockPlayer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{playerId}/links/revocation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Revoke all of a player's game links
         * @description Those made so far, and the sessions that they opened. New links work.
         */
        put: operations["revokePlayerLinks"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{playerId}/corrections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Correct a balance
         * @description Adds spins or takes them away, for a reason, as an entry of its own kind in the ledger. Never below zero.
         */
        post: operations["correctBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{playerId}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entries of a player's ledger
         * @description Newest first. The balance is their sum.
         */
        get: operations["listLedgerEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{playerId}/personal-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Erase a player's personal data
         * @description A random pseudonym takes the place of the id, for ever. It is blocked, and its links are dead. Balance, entries, plays and prizes stay under the pseudonym, so that all sums stay true. Events that name the player are deleted when their time has come.
         */
        delete: operations["erasePersonalData"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/grant-batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give spins to many players
         * @description Up to 10000 grants, with a verdict for each in the order given: what is wrong with one hinders no other. The same batch with the same `Idempotency-Key` gets the same verdicts, for ever; one that was cut off is finished by its repeat. A grant with a `key` of its own is the same grant as with increaseSpin.
         */
        post: operations["grantBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{playerId}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a player's live links
         * @description Newest first; those that are neither expired nor revoked. They are found in the event log, so a link appears about a second after it was made, and no longer than events are kept. A page looks at a bounded stretch of the log: it may hold few, or none, and still have a `next`.
         */
        get: operations["listLinksOfPlayer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List revoked links
         * @description In the order in which the links were made, newest first.
         */
        get: operations["listRevokedLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/{linkId}/revocation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Revoke a game link
         * @description The link and the sessions that it opened are dead at once. A repeat does no harm.
         */
        put: operations["revokeLink"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plays with their proofs
         * @description Newest first. With filters a page may hold few, or none, and still have a `next`. What was published of a wheel is at `/api/v1/game/versions/{hash}`.
         */
        get: operations["listPlays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plays/{playId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a play with its proof */
        get: operations["readPlay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prizes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List prizes that were won
         * @description Newest first. Spins are no prizes to settle and are not listed. `code` and `playerId` find at once; with other filters a page may hold few, or none, and still have a `next`.
         */
        get: operations["listPrizes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prizes/{playId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a prize that was won */
        get: operations["readPrize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prizes/{playId}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Claim a prize
         * @description The player wants it. From then on it does not expire.
         */
        put: operations["claimPrize"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prizes/{playId}/redemption": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Redeem a prize
         * @description It was handed over or used. Only the first is told 200: who comes second with the same code is refused.
         */
        put: operations["redeemPrize"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prizes/{playId}/cancellation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Cancel a prize
         * @description Nobody gets it. Unless `returnStock` is false, a prize with a stock can be won again by another. A code is never given out again: a player has seen it.
         */
        put: operations["cancelPrize"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report by day
         * @description Days in the merchant's time zone, the quiet ones too.
         */
        get: operations["reportDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/prizes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report by prize
         * @description Every segment that was on a wheel that was played, with what chance would have given.
         */
        get: operations["reportPrizes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read events
         * @description A merchant's events are numbered 1, 2, 3 … without a gap, and no event ever appears behind one that was read. Send `next` of each answer as `after` of the next request. With `wait`, the answer comes as soon as there is an event.
         */
        get: operations["readEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhooks */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description It gets the events from now on, signed with a secret of its own, which only this answer shows.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook */
        get: operations["readWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description With its deliveries and attempts. What is under way may still arrive.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Fields that are left out stay as they are. Types hold for events not sent yet.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Pause a webhook
         * @description Nothing is sent; events wait in the log.
         */
        put: operations["pauseWebhook"];
        post?: never;
        /**
         * Resume a webhook
         * @description Ends a pause, or what disabled the webhook. It goes on where it was.
         */
        delete: operations["resumeWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description Makes a new secret, which only this answer shows. For a day events are signed with both, so that the receiver can change over.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends an event of type `webhook.test` at once and answers with what came of it. It is not in the log (its `seq` is 0) and is not repeated.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List events that were given up, or wait for another try */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List attempts, the newest first */
        get: operations["listWebhookAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events again
         * @description One (`seq`), a range (`fromSeq`, `toSeq`), all since a time (`since`), or all: of those that were given up, or with `only: "all"` of all that the log still has. They keep their ids.
         */
        post: operations["resendEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the merchant and its settings */
        get: operations["readMerchant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings
         * @description Those that are named; the others stay. Holds everywhere within 5 seconds. With `If-Match`, settings that somebody else has changed are refused.
         */
        patch: operations["changeMerchant"];
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List service tokens
         * @description Without their secrets, which nobody can read again.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Issue a service token
         * @description The token is in the answer, and can never be shown again.
         */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a service token
         * @description Holds everywhere within 5 seconds. A token may revoke itself.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed what
         * @description Newest first. Entries are never changed or deleted.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last requests and how they were answered
         * @description Newest first: the last 100 with a valid service token, or the last 100 that were refused. They are kept in memory: of one process out of `processes`, since its start. The console's own requests are not among them.
         */
        get: operations["listRecentRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/seals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the seals over the ledger
         * @description Newest first. Keep the newest one outside: with it, `wheelhouse audit --seals` finds whatever was changed by hand in what it covers.
         */
        get: operations["listSeals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Wheel */
        Wheel: {
            name: string;
            /**
             * @description Days and hours are meant in this zone.
             * @example Europe/Berlin
             */
            timeZone: string;
            /**
             * Format: date-time
             * @description A moment, as RFC 3339.
             * @example 2026-12-01T00:00:00Z
             */
            opensAt?: string;
            /**
             * Format: date-time
             * @description A moment, as RFC 3339.
             * @example 2026-12-01T00:00:00Z
             */
            closesAt?: string;
            /** @description Monday is 1. */
            openDays?: number[];
            openHours?: {
                /** @example 09:00 */
                from: string;
                /** @example 09:00 */
                to: string;
            };
            /** @description The id of the segment that stands in when a drawn prize cannot be given. */
            fallback: string;
            segments: {
                /** @description Names the prize over all versions: its stock and limits are counted under this id. */
                id: string;
                /** @description What stands on the wheel. */
                label: string;
                /**
                 * @description Colour as #rrggbb.
                 * @example #e11d48
                 */
                color: string;
                /** @description An emoji. */
                icon?: string;
                /** @description A small picture as a data address: PNG, JPEG or WebP, at most 36 kB. */
                image?: string;
                /** @description Its chance is weight over the sum of all weights. */
                weight: number;
                prize: {
                    /**
                     * @description none; spins; a code from a pool; one fixed code; a link; or something that the merchant hands over.
                     * @enum {unknown}
                     */
                    kind: "none" | "spins" | "pool" | "fixed" | "link" | "handover";
                    /** @description How many, for spins. */
                    spins?: number;
                    pool?: string;
                    /** @description The code, for fixed. */
                    code?: string;
                    /** @description The address, for link. */
                    url?: string;
                };
                /** @description What was won, in a sentence. */
                title?: string;
                /** @description What to do with it. */
                instructions?: string;
                /** @description How many can be won in all. */
                stock?: number;
                stockPerDay?: number;
                limitPerPlayer?: number;
                /**
                 * Format: date-time
                 * @description A moment, as RFC 3339.
                 * @example 2026-12-01T00:00:00Z
                 */
                winnableFrom?: string;
                /**
                 * Format: date-time
                 * @description A moment, as RFC 3339.
                 * @example 2026-12-01T00:00:00Z
                 */
                winnableUntil?: string;
                claimWithinSeconds?: number;
                /** @description What one costs you, for the simulation. */
                cost?: number;
            }[];
            look?: {
                merchantName?: string;
                /** @description A small picture as a data address: PNG, JPEG or WebP, at most 36 kB. */
                logo?: string;
                /**
                 * @description Colour as #rrggbb.
                 * @example #e11d48
                 */
                background?: string;
                /**
                 * @description Colour as #rrggbb.
                 * @example #e11d48
                 */
                surface?: string;
                /**
                 * @description Colour as #rrggbb.
                 * @example #e11d48
                 */
                accent?: string;
                /**
                 * @description Colour as #rrggbb.
                 * @example #e11d48
                 */
                text?: string;
                /** @enum {unknown} */
                pointer?: "top" | "right" | "bottom" | "left";
                /** @enum {unknown} */
                direction?: "clockwise" | "counterclockwise";
            };
            texts?: {
                [key: string]: {
                    title?: string;
                    subtitle?: string;
                    button?: string;
                    won?: string;
                    noLuck?: string;
                };
            };
        };
        /** Event */
        Event: {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "player.created";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
            };
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "spins.granted";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
                 * @description `grant`: increaseSpin or the command line; `initial`: the first game link; `prize`: won in a play.
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
            };
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "spins.corrected";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
            };
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "spins.expired";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "link.created";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
            };
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "link.opened";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "player.limited";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "play.completed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
                    kind: "none" | "spins" | "pool" | "fixed" | "link" | "handover";
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
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "prize.won";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
                kind: "none" | "spins" | "pool" | "fixed" | "link" | "handover";
                /**
                 * @description How many, where spins were won.
                 * @example 5
                 */
                spins?: number;
                /**
                 * @description The code, if it has one.
                 * @example CAFE-7Q2X
                 */
                code?: string;
                /** @description Until when it can be claimed; null for ever. */
                claimBefore: string | null;
            };
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "prize.claimed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "prize.redeemed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "prize.cancelled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "prize.expired";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "prize.stock_low";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "prize.stock_out";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "wheel.published";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "wheel.paused";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
            };
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "wheel.resumed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
            };
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "token.issued";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "token.revoked";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
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
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "webhook.disabled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: {
                /**
                 * @description The id of the webhook.
                 * @example wh_1
                 */
                webhookId: string;
                /**
                 * @description Where it led.
                 * @example https://shop.example/hooks
                 */
                url: string;
                /**
                 * @description Why it was disabled.
                 * @example answered 410 Gone
                 */
                reason: string;
            };
        } | {
            /**
             * @description Names the event for ever: whoever gets it twice knows it by this.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /** @enum {string} */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description The id of the merchant.
             * @example acme
             */
            merchant: string;
            data: Record<string, never>;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    increaseSpin: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the call safe to repeat: a call with the same key and player gets the first answer and adds nothing. Keys are kept for ever and belong to one player. 1 to 255 visible ASCII characters.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                     * @example alice
                     */
                    playerId: string;
                    /**
                     * @description Number of spins to add.
                     * @example 5
                     */
                    spinNumber: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The player's identifier, as it was sent.
                         * @example alice
                         */
                        playerId: string;
                        /**
                         * @description The spins that the player can use now, after the addition.
                         * @example 5
                         */
                        spinCount: number;
                    };
                };
            };
        };
    };
    createGameLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                     * @example alice
                     */
                    playerId: string;
                    /**
                     * @description Spins for a newcomer: added once per player, by the first game-link request that names more than 0.
                     * @example 3
                     */
                    initialSpin?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uri
                         * @description Address of the game for this player; it contains the token.
                         */
                        link: string;
                        /** @description Signed token of the game session. */
                        token: string;
                    };
                };
            };
        };
    };
    listWheels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        wheels: {
                            wheel: string;
                            name: string;
                            /** @description Also the ETag: send it as If-Match with a change. */
                            draftRevision: number;
                            publishedVersion: number | null;
                            pausedAt: string | null;
                        }[];
                    };
                };
            };
        };
    };
    readWheel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wheel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        wheel: string;
                        name: string;
                        /** @description Also the ETag: send it as If-Match with a change. */
                        draftRevision: number;
                        publishedVersion: number | null;
                        pausedAt: string | null;
                        draft: components["schemas"]["Wheel"];
                    };
                };
            };
        };
    };
    saveWheel: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                wheel: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Wheel"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        wheel: string;
                        name: string;
                        /** @description Also the ETag: send it as If-Match with a change. */
                        draftRevision: number;
                        publishedVersion: number | null;
                        pausedAt: string | null;
                        draft: components["schemas"]["Wheel"];
                    };
                };
            };
        };
    };
    simulateWheel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wheel: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example 1000 */
                    playsPerDay: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: {
                            pointer: string;
                            detail: string;
                        }[];
                        simulation: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
    };
    publishWheel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wheel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        version: number;
                        hash: string;
                    };
                };
            };
        };
    };
    pauseWheel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wheel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        wheel: string;
                        name: string;
                        /** @description Also the ETag: send it as If-Match with a change. */
                        draftRevision: number;
                        publishedVersion: number | null;
                        pausedAt: string | null;
                        draft: components["schemas"]["Wheel"];
                    };
                };
            };
        };
    };
    resumeWheel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wheel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        wheel: string;
                        name: string;
                        /** @description Also the ETag: send it as If-Match with a change. */
                        draftRevision: number;
                        publishedVersion: number | null;
                        pausedAt: string | null;
                        draft: components["schemas"]["Wheel"];
                    };
                };
            };
        };
    };
    openWheelByLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wheel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        wheel: string;
                        name: string;
                        /** @description Also the ETag: send it as If-Match with a change. */
                        draftRevision: number;
                        publishedVersion: number | null;
                        pausedAt: string | null;
                        draft: components["schemas"]["Wheel"];
                    };
                };
            };
        };
    };
    listWheelVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wheel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        versions: {
                            version: number;
                            hash: string;
                            /** Format: date-time */
                            publishedAt: string;
                        }[];
                        stocks: {
                            prize: string;
                            stock: number | null;
                            given: number;
                        }[];
                    };
                };
            };
        };
    };
    readWheelVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wheel: string;
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        wheel: string;
                        version: number;
                        hash: string;
                        /** Format: date-time */
                        publishedAt: string;
                        document: components["schemas"]["Wheel"];
                    };
                };
            };
        };
    };
    compareWheelVersions: {
        parameters: {
            query: {
                /**
                 * @description The number of a version, or `draft`.
                 * @example draft
                 */
                from: string;
                /**
                 * @description The number of a version, or `draft`.
                 * @example draft
                 */
                to: string;
            };
            header?: never;
            path: {
                wheel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        changes: {
                            /** @example /segments/coffee/weight */
                            path: string;
                            /** @description Missing where it is new. */
                            before?: unknown;
                            /** @description Missing where it is gone. */
                            after?: unknown;
                        }[];
                    };
                };
            };
        };
    };
    listCodePools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        pools: {
                            pool: string;
                            uploaded: number;
                            taken: number;
                            left: number;
                            /** Format: date-time */
                            createdAt: string;
                        }[];
                    };
                };
            };
        };
    };
    readCodePool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pool: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        pool: string;
                        uploaded: number;
                        taken: number;
                        left: number;
                        /** Format: date-time */
                        createdAt: string;
                    };
                };
            };
        };
    };
    uploadCodes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pool: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    codes: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        added: number;
                    };
                };
            };
        };
    };
    streamCodes: {
        parameters: {
            query?: {
                /** @description Pass over the first line. */
                header?: "true";
            };
            header?: never;
            path: {
                pool: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": unknown;
                "application/x-ndjson": unknown;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        read: number;
                        added: number;
                    };
                };
            };
        };
    };
    listPlayers: {
        parameters: {
            query?: {
                /** @description How many at most: 1 to 500, 50 by default. A page may hold fewer; go on while there is a `next`. */
                limit?: string;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to answer with, with commas between; all by default. */
                fields?: string;
                /** @description What the id starts with. */
                prefix?: string;
                /** @description Only those who are blocked. */
                blocked?: "true";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        players: {
                            playerId?: string;
                            /** @description The spins that the player can use now. */
                            spinCount?: number;
                            playCount?: number;
                            /** Format: date-time */
                            createdAt?: string;
                            blockedAt?: string | null;
                            /** @description Since when a pseudonym stands in the place of the id. */
                            erasedAt?: string | null;
                        }[];
                        next: string | null;
                    };
                };
            };
        };
    };
    readPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        playerId: string;
                        /** @description The spins that the player can use now. */
                        spinCount: number;
                        playCount: number;
                        /** Format: date-time */
                        createdAt: string;
                        blockedAt: string | null;
                        /** @description Since when a pseudonym stands in the place of the id. */
                        erasedAt: string | null;
                    };
                };
            };
        };
    };
    blockPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        playerId: string;
                        /** @description The spins that the player can use now. */
                        spinCount: number;
                        playCount: number;
                        /** Format: date-time */
                        createdAt: string;
                        blockedAt: string | null;
                        /** @description Since when a pseudonym stands in the place of the id. */
                        erasedAt: string | null;
                    };
                };
            };
        };
    };
    unblockPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        playerId: string;
                        /** @description The spins that the player can use now. */
                        spinCount: number;
                        playCount: number;
                        /** Format: date-time */
                        createdAt: string;
                        blockedAt: string | null;
                        /** @description Since when a pseudonym stands in the place of the id. */
                        erasedAt: string | null;
                    };
                };
            };
        };
    };
    revokePlayerLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        playerId: string;
                        /** @description The spins that the player can use now. */
                        spinCount: number;
                        playCount: number;
                        /** Format: date-time */
                        createdAt: string;
                        blockedAt: string | null;
                        /** @description Since when a pseudonym stands in the place of the id. */
                        erasedAt: string | null;
                    };
                };
            };
        };
    };
    correctBalance: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes the call safe to repeat: the same call with the same key gets the first answer and changes nothing. Kept for ever. 1 to 255 visible ASCII characters.
                 * @example order-4711
                 */
                "idempotency-key": string;
            };
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Spins to add, or below zero to take away.
                     * @example 2
                     */
                    amount: number;
                    /**
                     * @description Why, for whoever looks later. It is kept for ever, so leave personal data out of it.
                     * @example wrong prize shown on Monday
                     */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        playerId: string;
                        spinCount: number;
                    };
                };
            };
        };
    };
    listLedgerEntries: {
        parameters: {
            query?: {
                /** @description How many at most: 1 to 500, 50 by default. A page may hold fewer; go on while there is a `next`. */
                limit?: string;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to answer with, with commas between; all by default. */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: {
                            /** @description Counts the player's entries from 1 without a gap. */
                            entry?: number;
                            /** @enum {unknown} */
                            kind?: "grant" | "initial" | "play" | "prize" | "correction" | "expiry";
                            amount?: number;
                            balanceAfter?: number;
                            key?: string;
                            reason?: string | null;
                            /** Format: date-time */
                            at?: string;
                        }[];
                        next: string | null;
                    };
                };
            };
        };
    };
    erasePersonalData: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        pseudonym: string;
                    };
                };
            };
        };
    };
    grantBatch: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes the call safe to repeat: the same call with the same key gets the first answer and changes nothing. Kept for ever. 1 to 255 visible ASCII characters.
                 * @example order-4711
                 */
                "idempotency-key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    grants: {
                        /**
                         * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                         * @example alice
                         */
                        playerId: string;
                        /** @example 5 */
                        spinNumber: number;
                        /**
                         * @description The key of this grant alone, as in `Idempotency-Key` of increaseSpin. 1 to 255 visible ASCII characters.
                         * @example order-4711
                         */
                        key?: string;
                        /**
                         * @description Why, for whoever looks later. It is kept for ever, so leave personal data out of it.
                         * @example wrong prize shown on Monday
                         */
                        reason?: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        granted: number;
                        refused: number;
                        verdicts: {
                            playerId: string;
                            /** @enum {unknown} */
                            outcome: "granted" | "replayed" | "refused";
                            spinCount: number | null;
                            code: string | null;
                            detail: string | null;
                        }[];
                    };
                };
            };
        };
    };
    listLinksOfPlayer: {
        parameters: {
            query?: {
                /** @description How many at most: 1 to 500, 50 by default. A page may hold fewer; go on while there is a `next`. */
                limit?: string;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to answer with, with commas between; all by default. */
                fields?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        links: {
                            linkId?: string;
                            /** Format: date-time */
                            createdAt?: string;
                            /** Format: date-time */
                            expiresAt?: string;
                        }[];
                        next: string | null;
                    };
                };
            };
        };
    };
    listRevokedLinks: {
        parameters: {
            query?: {
                /** @description How many at most: 1 to 500, 50 by default. A page may hold fewer; go on while there is a `next`. */
                limit?: string;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to answer with, with commas between; all by default. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        links: {
                            linkId?: string;
                            /** Format: date-time */
                            revokedAt?: string;
                        }[];
                        next: string | null;
                    };
                };
            };
        };
    };
    revokeLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `jti` of the game token, also in the event `link.created`.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a71
                 */
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        linkId: string;
                    };
                };
            };
        };
    };
    listPlays: {
        parameters: {
            query?: {
                /** @description How many at most: 1 to 500, 50 by default. A page may hold fewer; go on while there is a `next`. */
                limit?: string;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to answer with, with commas between; all by default. */
                fields?: string;
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
                wheel?: string;
                prizeId?: string;
                won?: "true" | "false";
                /** @description Played then or later. */
                from?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        plays: {
                            playerId?: string;
                            wheel?: string;
                            wheelVersion?: number;
                            /** @description The id of the segment on which the wheel came to rest. */
                            prizeId?: string;
                            /** Format: uuid */
                            playId?: string;
                            playNumber?: number;
                            /** Format: date-time */
                            playedAt?: string;
                            /** @description Where the wheel comes to rest: an index into the segments of the version. */
                            segment?: number;
                            label?: string;
                            won?: boolean;
                            fallbackReason?: string | null;
                            prize?: {
                                kind: string;
                                title: string | null;
                                instructions: string | null;
                                spins: number | null;
                                code: string | null;
                                url: string | null;
                                claimBefore: string | null;
                            };
                            proof?: {
                                serverSeed: string;
                                commitment: string;
                                playerSeed: string;
                                playNumber: number;
                                versionHash: string;
                                ticket: number;
                                weightTotal: number;
                                /** @description The segment that owns the ticket. */
                                drawn: number;
                            };
                        }[];
                        next: string | null;
                    };
                };
            };
        };
    };
    readPlay: {
        parameters: {
            query?: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
            };
            header?: never;
            path: {
                /** @description The id of the play. */
                playId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        playerId: string;
                        wheel: string;
                        wheelVersion: number;
                        /** @description The id of the segment on which the wheel came to rest. */
                        prizeId: string;
                        /** Format: uuid */
                        playId: string;
                        playNumber: number;
                        /** Format: date-time */
                        playedAt: string;
                        /** @description Where the wheel comes to rest: an index into the segments of the version. */
                        segment: number;
                        label: string;
                        won: boolean;
                        fallbackReason: string | null;
                        prize: {
                            kind: string;
                            title: string | null;
                            instructions: string | null;
                            spins: number | null;
                            code: string | null;
                            url: string | null;
                            claimBefore: string | null;
                        };
                        proof: {
                            serverSeed: string;
                            commitment: string;
                            playerSeed: string;
                            playNumber: number;
                            versionHash: string;
                            ticket: number;
                            weightTotal: number;
                            /** @description The segment that owns the ticket. */
                            drawn: number;
                        };
                    };
                };
            };
        };
    };
    listPrizes: {
        parameters: {
            query?: {
                /** @description How many at most: 1 to 500, 50 by default. A page may hold fewer; go on while there is a `next`. */
                limit?: string;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to answer with, with commas between; all by default. */
                fields?: string;
                state?: "won" | "claimed" | "redeemed" | "cancelled" | "expired";
                wheel?: string;
                prizeId?: string;
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
                /** @description A code from a pool, exactly. */
                code?: string;
                /** @description Won then or later. */
                from?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        prizes: {
                            /**
                             * Format: uuid
                             * @description Names the prize: a play wins at most one.
                             */
                            playId?: string;
                            playerId?: string;
                            wheel?: string;
                            wheelVersion?: number;
                            /** @description The id of the segment. */
                            prizeId?: string;
                            /** @enum {unknown} */
                            kind?: "pool" | "fixed" | "link" | "handover";
                            label?: string;
                            code?: string | null;
                            /** Format: date-time */
                            wonAt?: string;
                            claimBefore?: string | null;
                            /** @enum {unknown} */
                            state?: "won" | "claimed" | "redeemed" | "cancelled" | "expired";
                            claimedAt?: string | null;
                            /** @description When it was redeemed, cancelled or expired. */
                            settledAt?: string | null;
                            settledBy?: string | null;
                            reason?: string | null;
                            /** @description Whether a cancelled prize went back into its stock. */
                            stockReturned?: boolean;
                        }[];
                        next: string | null;
                    };
                };
            };
        };
    };
    readPrize: {
        parameters: {
            query?: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
            };
            header?: never;
            path: {
                /** @description The id of the play. */
                playId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description Names the prize: a play wins at most one.
                         */
                        playId: string;
                        playerId: string;
                        wheel: string;
                        wheelVersion: number;
                        /** @description The id of the segment. */
                        prizeId: string;
                        /** @enum {unknown} */
                        kind: "pool" | "fixed" | "link" | "handover";
                        label: string;
                        code: string | null;
                        /** Format: date-time */
                        wonAt: string;
                        claimBefore: string | null;
                        /** @enum {unknown} */
                        state: "won" | "claimed" | "redeemed" | "cancelled" | "expired";
                        claimedAt: string | null;
                        /** @description When it was redeemed, cancelled or expired. */
                        settledAt: string | null;
                        settledBy: string | null;
                        reason: string | null;
                        /** @description Whether a cancelled prize went back into its stock. */
                        stockReturned: boolean;
                    };
                };
            };
        };
    };
    claimPrize: {
        parameters: {
            query?: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
            };
            header?: {
                /**
                 * @description Makes the call safe to repeat: a call with the same key and player gets the first answer and adds nothing. Keys are kept for ever and belong to one player. 1 to 255 visible ASCII characters.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The id of the play. */
                playId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Why, for whoever looks later. It is kept for ever, so leave personal data out of it.
                     * @example wrong prize shown on Monday
                     */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description Names the prize: a play wins at most one.
                         */
                        playId: string;
                        playerId: string;
                        wheel: string;
                        wheelVersion: number;
                        /** @description The id of the segment. */
                        prizeId: string;
                        /** @enum {unknown} */
                        kind: "pool" | "fixed" | "link" | "handover";
                        label: string;
                        code: string | null;
                        /** Format: date-time */
                        wonAt: string;
                        claimBefore: string | null;
                        /** @enum {unknown} */
                        state: "won" | "claimed" | "redeemed" | "cancelled" | "expired";
                        claimedAt: string | null;
                        /** @description When it was redeemed, cancelled or expired. */
                        settledAt: string | null;
                        settledBy: string | null;
                        reason: string | null;
                        /** @description Whether a cancelled prize went back into its stock. */
                        stockReturned: boolean;
                    };
                };
            };
        };
    };
    redeemPrize: {
        parameters: {
            query?: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
            };
            header?: {
                /**
                 * @description Makes the call safe to repeat: a call with the same key and player gets the first answer and adds nothing. Keys are kept for ever and belong to one player. 1 to 255 visible ASCII characters.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The id of the play. */
                playId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Why, for whoever looks later. It is kept for ever, so leave personal data out of it.
                     * @example wrong prize shown on Monday
                     */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description Names the prize: a play wins at most one.
                         */
                        playId: string;
                        playerId: string;
                        wheel: string;
                        wheelVersion: number;
                        /** @description The id of the segment. */
                        prizeId: string;
                        /** @enum {unknown} */
                        kind: "pool" | "fixed" | "link" | "handover";
                        label: string;
                        code: string | null;
                        /** Format: date-time */
                        wonAt: string;
                        claimBefore: string | null;
                        /** @enum {unknown} */
                        state: "won" | "claimed" | "redeemed" | "cancelled" | "expired";
                        claimedAt: string | null;
                        /** @description When it was redeemed, cancelled or expired. */
                        settledAt: string | null;
                        settledBy: string | null;
                        reason: string | null;
                        /** @description Whether a cancelled prize went back into its stock. */
                        stockReturned: boolean;
                    };
                };
            };
        };
    };
    cancelPrize: {
        parameters: {
            query?: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
            };
            header?: {
                /**
                 * @description Makes the call safe to repeat: a call with the same key and player gets the first answer and adds nothing. Keys are kept for ever and belong to one player. 1 to 255 visible ASCII characters.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The id of the play. */
                playId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Why, for whoever looks later. It is kept for ever, so leave personal data out of it.
                     * @example wrong prize shown on Monday
                     */
                    reason: string;
                    returnStock?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description Names the prize: a play wins at most one.
                         */
                        playId: string;
                        playerId: string;
                        wheel: string;
                        wheelVersion: number;
                        /** @description The id of the segment. */
                        prizeId: string;
                        /** @enum {unknown} */
                        kind: "pool" | "fixed" | "link" | "handover";
                        label: string;
                        code: string | null;
                        /** Format: date-time */
                        wonAt: string;
                        claimBefore: string | null;
                        /** @enum {unknown} */
                        state: "won" | "claimed" | "redeemed" | "cancelled" | "expired";
                        claimedAt: string | null;
                        /** @description When it was redeemed, cancelled or expired. */
                        settledAt: string | null;
                        settledBy: string | null;
                        reason: string | null;
                        /** @description Whether a cancelled prize went back into its stock. */
                        stockReturned: boolean;
                    };
                };
            };
        };
    };
    reportDays: {
        parameters: {
            query?: {
                /** @description The first day; 30 days back by default. */
                from?: string;
                /** @description The last day; today by default. */
                to?: string;
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        timeZone: string;
                        /** Format: date */
                        from: string;
                        /** Format: date */
                        to: string;
                        /** @description What happened later is not in it yet; about a minute ago, usually. */
                        countedUntil: string | null;
                        days: {
                            /** Format: date */
                            day: string;
                            plays: number;
                            /** @description Plays that came to rest on a prize. */
                            wins: number;
                            /** @description What the prizes cost, where the wheel says it. */
                            cost: number;
                            /** @description Calls that gave spins. */
                            grants: number;
                            spinsGranted: number;
                            spinsSpent: number;
                            spinsWon: number;
                            /** @description Added by hand, less what was taken away. */
                            spinsCorrected: number;
                            spinsExpired: number;
                            newPlayers: number;
                            claimed: number;
                            redeemed: number;
                            cancelled: number;
                            expired: number;
                        }[];
                    };
                };
            };
        };
    };
    reportPrizes: {
        parameters: {
            query?: {
                /** @description The first day; 30 days back by default. */
                from?: string;
                /** @description The last day; today by default. */
                to?: string;
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        timeZone: string;
                        /** Format: date */
                        from: string;
                        /** Format: date */
                        to: string;
                        /** @description What happened later is not in it yet; about a minute ago, usually. */
                        countedUntil: string | null;
                        prizes: {
                            wheel: string;
                            prizeId: string;
                            kind: string;
                            label: string;
                            /** @description How often the wheel came to rest there. */
                            given: number;
                            /** @description How often it was drawn, also when it could not be given. */
                            drawn: number;
                            /** @description How often chance alone would draw it, by the published weights. */
                            expected: number;
                            /** @description The standard deviation of that: 95 of 100 times chance stays within two of it. */
                            deviation: number;
                            cost: number;
                            claimed: number;
                            redeemed: number;
                            cancelled: number;
                            expired: number;
                        }[];
                    };
                };
            };
        };
    };
    readEvents: {
        parameters: {
            query?: {
                /**
                 * @description The number of the last event that you have: `next` of the answer before. Left out, the reading begins with the oldest event that is kept.
                 * @example 0
                 */
                after?: number;
                /** @description Only these types, with commas between. All where it is left out. */
                types?: ("player.created" | "spins.granted" | "spins.corrected" | "spins.expired" | "link.created" | "link.opened" | "player.limited" | "play.completed" | "prize.won" | "prize.claimed" | "prize.redeemed" | "prize.cancelled" | "prize.expired" | "prize.stock_low" | "prize.stock_out" | "wheel.published" | "wheel.paused" | "wheel.resumed" | "token.issued" | "token.revoked" | "webhook.disabled" | "webhook.test")[];
                /** @description How many at most; 100 where it is left out. */
                limit?: number;
                /** @description Seconds to wait for an event if there is none yet. */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["Event"][];
                        /** @description What to send as `after` next. It moves on also where no event fits `types`. */
                        next: number;
                        /** @description The number of the newest event. While `next` is less, there is more to read. */
                        last: number;
                    };
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhooks: {
                            webhookId: string;
                            url: string;
                            description: string;
                            types: string[] | null;
                            /** @enum {unknown} */
                            state: "active" | "paused" | "disabled";
                            pausedAt: string | null;
                            disabledAt: string | null;
                            /** @description `gone`: the receiver answered 410; `failing`: nothing but failures for three days. */
                            disabledReason: ("gone" | "failing") | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** @description Until then events are signed with the secret from before the last rotation too. */
                            oldSecretUntil: string | null;
                            /** @description Failed attempts since the last success. */
                            failures: number;
                            failingSince: string | null;
                            /** @description Nothing is sent before this: the receiver asked for time, or keeps failing. */
                            heldUntil: string | null;
                            /** @description Every event up to this number was taken, or is among the deliveries. */
                            cursor: number;
                            /** @description How many events of the log are behind the cursor. */
                            lag: number;
                        }[];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Where to send events to: an https address on the open internet.
                     * @example https://shop.example/wheelhouse
                     */
                    url: string;
                    /** @example Mails to winners */
                    description?: string;
                    /**
                     * @description The types of events to send; null for all.
                     * @example [
                     *       "prize.won"
                     *     ]
                     */
                    types?: ("player.created" | "spins.granted" | "spins.corrected" | "spins.expired" | "link.created" | "link.opened" | "player.limited" | "play.completed" | "prize.won" | "prize.claimed" | "prize.redeemed" | "prize.cancelled" | "prize.expired" | "prize.stock_low" | "prize.stock_out" | "wheel.published" | "wheel.paused" | "wheel.resumed" | "token.issued" | "token.revoked" | "webhook.disabled" | "webhook.test")[] | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhookId: string;
                        url: string;
                        description: string;
                        types: string[] | null;
                        /** @enum {unknown} */
                        state: "active" | "paused" | "disabled";
                        pausedAt: string | null;
                        disabledAt: string | null;
                        /** @description `gone`: the receiver answered 410; `failing`: nothing but failures for three days. */
                        disabledReason: ("gone" | "failing") | null;
                        /** Format: date-time */
                        createdAt: string;
                        /** @description Until then events are signed with the secret from before the last rotation too. */
                        oldSecretUntil: string | null;
                        /** @description Failed attempts since the last success. */
                        failures: number;
                        failingSince: string | null;
                        /** @description Nothing is sent before this: the receiver asked for time, or keeps failing. */
                        heldUntil: string | null;
                        /** @description Every event up to this number was taken, or is among the deliveries. */
                        cursor: number;
                        /** @description How many events of the log are behind the cursor. */
                        lag: number;
                        /**
                         * @description Shown once. It verifies signatures.
                         * @example whsec_…
                         */
                        secret: string;
                    };
                };
            };
        };
    };
    readWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhookId: string;
                        url: string;
                        description: string;
                        types: string[] | null;
                        /** @enum {unknown} */
                        state: "active" | "paused" | "disabled";
                        pausedAt: string | null;
                        disabledAt: string | null;
                        /** @description `gone`: the receiver answered 410; `failing`: nothing but failures for three days. */
                        disabledReason: ("gone" | "failing") | null;
                        /** Format: date-time */
                        createdAt: string;
                        /** @description Until then events are signed with the secret from before the last rotation too. */
                        oldSecretUntil: string | null;
                        /** @description Failed attempts since the last success. */
                        failures: number;
                        failingSince: string | null;
                        /** @description Nothing is sent before this: the receiver asked for time, or keeps failing. */
                        heldUntil: string | null;
                        /** @description Every event up to this number was taken, or is among the deliveries. */
                        cursor: number;
                        /** @description How many events of the log are behind the cursor. */
                        lag: number;
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhookId: string;
                    };
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Where to send events to: an https address on the open internet.
                     * @example https://shop.example/wheelhouse
                     */
                    url?: string;
                    /** @example Mails to winners */
                    description?: string;
                    /**
                     * @description The types of events to send; null for all.
                     * @example [
                     *       "prize.won"
                     *     ]
                     */
                    types?: ("player.created" | "spins.granted" | "spins.corrected" | "spins.expired" | "link.created" | "link.opened" | "player.limited" | "play.completed" | "prize.won" | "prize.claimed" | "prize.redeemed" | "prize.cancelled" | "prize.expired" | "prize.stock_low" | "prize.stock_out" | "wheel.published" | "wheel.paused" | "wheel.resumed" | "token.issued" | "token.revoked" | "webhook.disabled" | "webhook.test")[] | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhookId: string;
                        url: string;
                        description: string;
                        types: string[] | null;
                        /** @enum {unknown} */
                        state: "active" | "paused" | "disabled";
                        pausedAt: string | null;
                        disabledAt: string | null;
                        /** @description `gone`: the receiver answered 410; `failing`: nothing but failures for three days. */
                        disabledReason: ("gone" | "failing") | null;
                        /** Format: date-time */
                        createdAt: string;
                        /** @description Until then events are signed with the secret from before the last rotation too. */
                        oldSecretUntil: string | null;
                        /** @description Failed attempts since the last success. */
                        failures: number;
                        failingSince: string | null;
                        /** @description Nothing is sent before this: the receiver asked for time, or keeps failing. */
                        heldUntil: string | null;
                        /** @description Every event up to this number was taken, or is among the deliveries. */
                        cursor: number;
                        /** @description How many events of the log are behind the cursor. */
                        lag: number;
                    };
                };
            };
        };
    };
    pauseWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhookId: string;
                        url: string;
                        description: string;
                        types: string[] | null;
                        /** @enum {unknown} */
                        state: "active" | "paused" | "disabled";
                        pausedAt: string | null;
                        disabledAt: string | null;
                        /** @description `gone`: the receiver answered 410; `failing`: nothing but failures for three days. */
                        disabledReason: ("gone" | "failing") | null;
                        /** Format: date-time */
                        createdAt: string;
                        /** @description Until then events are signed with the secret from before the last rotation too. */
                        oldSecretUntil: string | null;
                        /** @description Failed attempts since the last success. */
                        failures: number;
                        failingSince: string | null;
                        /** @description Nothing is sent before this: the receiver asked for time, or keeps failing. */
                        heldUntil: string | null;
                        /** @description Every event up to this number was taken, or is among the deliveries. */
                        cursor: number;
                        /** @description How many events of the log are behind the cursor. */
                        lag: number;
                    };
                };
            };
        };
    };
    resumeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhookId: string;
                        url: string;
                        description: string;
                        types: string[] | null;
                        /** @enum {unknown} */
                        state: "active" | "paused" | "disabled";
                        pausedAt: string | null;
                        disabledAt: string | null;
                        /** @description `gone`: the receiver answered 410; `failing`: nothing but failures for three days. */
                        disabledReason: ("gone" | "failing") | null;
                        /** Format: date-time */
                        createdAt: string;
                        /** @description Until then events are signed with the secret from before the last rotation too. */
                        oldSecretUntil: string | null;
                        /** @description Failed attempts since the last success. */
                        failures: number;
                        failingSince: string | null;
                        /** @description Nothing is sent before this: the receiver asked for time, or keeps failing. */
                        heldUntil: string | null;
                        /** @description Every event up to this number was taken, or is among the deliveries. */
                        cursor: number;
                        /** @description How many events of the log are behind the cursor. */
                        lag: number;
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhookId: string;
                        url: string;
                        description: string;
                        types: string[] | null;
                        /** @enum {unknown} */
                        state: "active" | "paused" | "disabled";
                        pausedAt: string | null;
                        disabledAt: string | null;
                        /** @description `gone`: the receiver answered 410; `failing`: nothing but failures for three days. */
                        disabledReason: ("gone" | "failing") | null;
                        /** Format: date-time */
                        createdAt: string;
                        /** @description Until then events are signed with the secret from before the last rotation too. */
                        oldSecretUntil: string | null;
                        /** @description Failed attempts since the last success. */
                        failures: number;
                        failingSince: string | null;
                        /** @description Nothing is sent before this: the receiver asked for time, or keeps failing. */
                        heldUntil: string | null;
                        /** @description Every event up to this number was taken, or is among the deliveries. */
                        cursor: number;
                        /** @description How many events of the log are behind the cursor. */
                        lag: number;
                        /**
                         * @description Shown once. It verifies signatures.
                         * @example whsec_…
                         */
                        secret: string;
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        eventId: string;
                        delivered: boolean;
                        /** @description Of the answer; null if there was none. */
                        status: number | null;
                        /** @description Why there was no answer. */
                        fault: ("blocked" | "dns" | "refused" | "tls" | "timeout" | "reset" | "protocol") | null;
                        tookMs: number;
                        /** @description The beginning of the answer. */
                        excerpt: string | null;
                    };
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                state?: "waiting" | "dead";
                /** @description `next` of the page before. */
                after?: number;
                limit?: number;
            };
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: {
                            /**
                             * @description The number of the event.
                             * @example 4711
                             */
                            seq: number;
                            eventId: string;
                            type: string;
                            /** @enum {unknown} */
                            state: "waiting" | "dead";
                            tries: number;
                            /** Format: date-time */
                            createdAt: string;
                            nextTryAt: string | null;
                            deadAt: string | null;
                            /** @description The event, as it is sent. */
                            body: string;
                        }[];
                        /** @description Send it as `after` to get the next page; null at the end. */
                        next: number | null;
                    };
                };
            };
        };
    };
    listWebhookAttempts: {
        parameters: {
            query?: {
                /** @description Only those of this event. */
                seq?: number;
                /** @description `next` of the page before. */
                before?: number;
                limit?: number;
            };
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        attempts: {
                            /** @description Null for a test. */
                            seq: number | null;
                            eventId: string;
                            type: string;
                            /** Format: date-time */
                            at: string;
                            /** @description Of the answer; null if there was none. */
                            status: number | null;
                            /** @description Why there was no answer. */
                            fault: ("blocked" | "dns" | "refused" | "tls" | "timeout" | "reset" | "protocol") | null;
                            tookMs: number;
                            /** @description The beginning of the answer. */
                            excerpt: string | null;
                        }[];
                        /** @description Send it as `before` to get the next page; null at the end. */
                        next: number | null;
                    };
                };
            };
        };
    };
    resendEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `dead`: events that were given up. `all`: whatever the log still has, also what was taken.
                     * @default dead
                     * @enum {unknown}
                     */
                    only?: "dead" | "all";
                    /**
                     * @description The number of the event.
                     * @example 4711
                     */
                    seq?: number;
                    /**
                     * @description The number of the event.
                     * @example 4711
                     */
                    fromSeq?: number;
                    /**
                     * @description The number of the event.
                     * @example 4711
                     */
                    toSeq?: number;
                    /**
                     * Format: date-time
                     * @description Events that happened, or were given up, at this time or later.
                     */
                    since?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many events will be sent again. */
                        queued: number;
                        /** @description Where to go on, as `fromSeq`, if there were more than one request takes. */
                        next: number | null;
                    };
                };
            };
        };
    };
    readMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        merchant: string;
                        name: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** @description increaseSpin refuses players that never had a game link. */
                        strictPlayers: boolean;
                        /**
                         * @description Spins at most in one call.
                         * @example 1000
                         */
                        grantMax: number;
                        dailyGrantMax: number | null;
                        linkLifetimeSeconds: number;
                        spinLifetimeDays: number | null;
                        /** @description The origins that may show the game in a frame. */
                        embedOrigins: string[];
                        /**
                         * @description Days in reports are this zone's.
                         * @example Europe/Berlin
                         */
                        timeZone: string;
                    };
                };
            };
        };
    };
    changeMerchant: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description increaseSpin refuses players that never had a game link. */
                    strictPlayers?: boolean;
                    /**
                     * @description Spins at most in one call.
                     * @example 1000
                     */
                    grantMax?: number;
                    dailyGrantMax?: number | null;
                    linkLifetimeSeconds?: number;
                    spinLifetimeDays?: number | null;
                    /** @description The origins that may show the game in a frame. */
                    embedOrigins?: string[];
                    /**
                     * @description Days in reports are this zone's.
                     * @example Europe/Berlin
                     */
                    timeZone?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        merchant: string;
                        name: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** @description increaseSpin refuses players that never had a game link. */
                        strictPlayers: boolean;
                        /**
                         * @description Spins at most in one call.
                         * @example 1000
                         */
                        grantMax: number;
                        dailyGrantMax: number | null;
                        linkLifetimeSeconds: number;
                        spinLifetimeDays: number | null;
                        /** @description The origins that may show the game in a frame. */
                        embedOrigins: string[];
                        /**
                         * @description Days in reports are this zone's.
                         * @example Europe/Berlin
                         */
                        timeZone: string;
                    };
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tokens: {
                            /** @description The part before the colon. */
                            tokenId: string;
                            name: string;
                            scopes: ("spins" | "links" | "manage" | "events" | "prizes" | "read")[];
                            /** Format: date-time */
                            createdAt: string;
                            expiresAt: string | null;
                            revokedAt: string | null;
                            lastUsedAt: string | null;
                        }[];
                    };
                };
            };
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What it is for.
                     * @example till 3
                     */
                    name: string;
                    /**
                     * @description `spins` and `links` for the two merchant operations; `manage` for everything under /api/v1; `prizes` to settle prizes; `read` to look.
                     * @example [
                     *       "prizes"
                     *     ]
                     */
                    scopes: ("spins" | "links" | "manage" | "events" | "prizes" | "read")[];
                    /** Format: date-time */
                    expiresAt?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tokenId: string;
                        token: string;
                    };
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The part before the colon. */
                        tokenId: string;
                        name: string;
                        scopes: ("spins" | "links" | "manage" | "events" | "prizes" | "read")[];
                        /** Format: date-time */
                        createdAt: string;
                        expiresAt: string | null;
                        revokedAt: string | null;
                        lastUsedAt: string | null;
                    };
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description How many at most: 1 to 500, 50 by default. A page may hold fewer; go on while there is a `next`. */
                limit?: string;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to answer with, with commas between; all by default. */
                fields?: string;
                action?: string;
                subjectKind?: string;
                actorId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: {
                            entry?: number;
                            /** Format: date-time */
                            at?: string;
                            actor?: {
                                /** @enum {unknown} */
                                kind: "token" | "staff" | "command" | "worker";
                                /** @description The identifier of a token, for example. */
                                id: string;
                                name: string | null;
                            };
                            /** @example player.correct */
                            action?: string;
                            /** @example player */
                            subjectKind?: string;
                            subject?: string | null;
                            before?: {
                                [key: string]: unknown;
                            } | null;
                            after?: {
                                [key: string]: unknown;
                            } | null;
                            requestId?: string | null;
                        }[];
                        next: string | null;
                    };
                };
            };
        };
    };
    listRecentRequests: {
        parameters: {
            query?: {
                only?: "refused";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        requests: {
                            /** @description As in the header `X-Request-Id` of the answer. */
                            requestId: string;
                            /** Format: date-time */
                            at: string;
                            method: string;
                            /** @description The route, without ids. */
                            path: string;
                            status: number;
                            code: string | null;
                            detail: string | null;
                            ms: number;
                            tokenId: string;
                            tokenName: string;
                        }[];
                        /** @description How many processes this server runs. */
                        processes: number;
                    };
                };
            };
        };
    };
    listSeals: {
        parameters: {
            query?: {
                /** @description How many at most: 1 to 500, 50 by default. A page may hold fewer; go on while there is a `next`. */
                limit?: string;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to answer with, with commas between; all by default. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        seals: {
                            /** @description Counts up from 1. */
                            seal?: number;
                            /** Format: date-time */
                            at?: string;
                            /** @description How many entries of the ledger it covers. */
                            entries?: number;
                            plays?: number;
                            /**
                             * @description Depends on everything that this seal and all before it cover.
                             * @example 5c6b…
                             */
                            hash?: string;
                            keyId?: string | null;
                        }[];
                        next: string | null;
                    };
                };
            };
        };
    };
}
