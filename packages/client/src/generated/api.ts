// Made from the code of the server by `npm run client:types`. Do not edit.
// SHA-256 of the document: 6312aa869795ec7ca92229766da7faf9bf6dae4ee9b250525aef8e307f201622
export interface paths {
    "/api/player/increaseSpin": {
        parameters: {
        };
        /**
         * Increase the number of spins
         * @description Adds spins to a player, who is created if missing. They are spins of the campaign that the token is bound to, or of `main`. Each call adds spins again, unless it repeats an `Idempotency-Key`: then it gets the first answer, with the header `Idempotent-Replayed: true`, and adds nothing.
         */
        post: operations["increaseSpin"];
    };
    "/api/game/sso": {
        parameters: {
        };
        /**
         * Generate a game link
         * @description Creates a new link for a player, who is created if missing. It opens the campaign that the token is bound to, or `main`. Every call creates another link; earlier links stay valid until they expire or are revoked. Repeating the call is safe: `initialSpin` is granted once per player and campaign.
         */
        post: operations["createGameLink"];
    };
    "/api/v1/campaigns": {
        parameters: {
        };
        /**
         * List campaigns
         * @description In the order of their ids, `main` included.
         */
        get: operations["listCampaigns"];
        /**
         * Create a campaign
         * @description The campaign has a purse of its own, unless `purse` names a campaign to share spins with. Its wheel may still be a draft.
         */
        post: operations["createCampaign"];
    };
    "/api/v1/campaigns/{campaign}": {
        parameters: {
        };
        /**
         * Read a campaign
         * @description Read a campaign.
         */
        get: operations["readCampaign"];
        /**
         * Change a campaign
         * @description Omitted settings stay as they are. Once a visitor has entered, another closing time needs a `reason`: it is a new version of the terms. Takes effect in all processes within 5 seconds. With `If-Match`, the change is refused if the campaign has changed since it was read. The wheel of `main` is the wheel that unbound links open.
         */
        patch: operations["changeCampaign"];
    };
    "/api/v1/campaigns/{campaign}/archive": {
        parameters: {
        };
        /**
         * Archive a campaign
         * @description Its links stay readable but cannot be played, and it accepts no more spins. Balances are kept.
         */
        put: operations["archiveCampaign"];
        /**
         * Restore an archived campaign
         * @description It is as it was before it was archived.
         */
        delete: operations["restoreCampaign"];
    };
    "/api/v1/campaigns/{campaign}/copies": {
        parameters: {
        };
        /**
         * Duplicate a campaign
         * @description The copy has a purse of its own and no dates. It gets a copy of the wheel, as a draft with the id and the name of the copy, so that the two have separate stock.
         */
        post: operations["duplicateCampaign"];
    };
    "/api/v1/campaigns/{campaign}/entry": {
        parameters: {
        };
        /**
         * Read the entry of a campaign
         * @description Read the entry of a campaign.
         */
        get: operations["readEntrySettings"];
        /**
         * Set up the entry of a campaign
         * @description Other fields or terms are a new version, for visitors who enter from now on; the versions before stay readable. Once somebody has entered, other terms need a `reason`. Before visitors can enter, the terms must be complete, and the campaign must have an end.
         */
        put: operations["changeEntrySettings"];
        /**
         * Take the entry of a campaign away
         * @description Visitors can no longer enter. Entries that were made stay, and with them the settings, with `isOpen` false: terms, forms to claim and the time for which answers are kept still bind.
         */
        delete: operations["removeEntrySettings"];
    };
    "/api/v1/campaigns/{campaign}/entry/versions": {
        parameters: {
        };
        /**
         * List the versions of form and terms
         * @description Newest first. Each entry names the version that its visitor saw.
         */
        get: operations["listEntryVersions"];
    };
    "/api/v1/campaigns/{campaign}/entries": {
        parameters: {
        };
        /**
         * List the entries of visitors
         * @description Newest first. Addresses and answers are decrypted for this answer. Send marketing mail only where the consent is `confirmed` and not withdrawn. An erased visitor stays as a line without address, answers and consents.
         */
        get: operations["listVisitorEntries"];
    };
    "/api/v1/campaigns/{campaign}/entries/codes": {
        parameters: {
        };
        /**
         * List the codes that visitors are to type
         * @description Only at a test merchant, which mails no codes: the codes that are accepted now, newest first, at most 100.
         */
        get: operations["listEntryCodes"];
    };
    "/api/v1/campaigns/{campaign}/entry/figures": {
        parameters: {
        };
        /**
         * Read how many visitors came how far
         * @description By day (UTC), at most 92 days. People count on the day on which they entered. `opened`, `submitted` and `refusals` are up to a minute old; a process that is killed loses its last minute of them. Figures of very many visitors are some minutes old.
         */
        get: operations["readEntryFigures"];
    };
    "/api/v1/campaigns/{campaign}/free-spin-preview": {
        parameters: {
        };
        /**
         * Preview a rule for free spins
         * @description What a new player gets from now on, who never misses a period. Opening hours and dates of the campaign count. Changes nothing.
         */
        post: operations["previewFreeSpins"];
    };
    "/api/v1/campaigns/{campaign}/streaks": {
        parameters: {
        };
        /**
         * Count the streaks of a campaign
         * @description By their length, of players who have collected free spins within the last two periods.
         */
        get: operations["reportStreaks"];
    };
    "/api/v1/campaigns/{campaign}/scheduled-wheel": {
        parameters: {
        };
        /**
         * Give a campaign another wheel later
         * @description At `at`, the campaign gets the published version of this wheel. It replaces an earlier schedule. The wheel must be published by then. If it is not, nothing changes, and `campaign.change_failed` is emitted.
         */
        put: operations["scheduleCampaignWheel"];
        /**
         * Cancel the change to another wheel
         * @description Also removes the note of one that failed.
         */
        delete: operations["cancelScheduledCampaignWheel"];
    };
    "/api/v1/wheels": {
        parameters: {
        };
        /**
         * List wheels
         * @description List wheels.
         */
        get: operations["listWheels"];
    };
    "/api/v1/wheels/{wheel}": {
        parameters: {
        };
        /**
         * Read a wheel
         * @description Read a wheel.
         */
        get: operations["readWheel"];
        /**
         * Save the draft of a wheel
         * @description Creates the wheel if it is new. Players see nothing of it until it is published. With `If-Match`, the save is refused if the draft has changed since it was read.
         */
        put: operations["saveWheel"];
    };
    "/api/v1/wheels/{wheel}/publication": {
        parameters: {
        };
        /**
         * Publish the draft
         * @description The draft becomes the version that players play from now on. A wheel with errors is refused. With `If-Match`, it is refused if the draft has changed since it was read.
         */
        post: operations["publishWheel"];
    };
    "/api/v1/wheels/{wheel}/pause": {
        parameters: {
        };
        /**
         * Pause a wheel
         * @description Pause a wheel.
         */
        put: operations["pauseWheel"];
        /**
         * Resume a wheel
         * @description Resume a wheel.
         */
        delete: operations["resumeWheel"];
    };
    "/api/v1/wheels/{wheel}/links": {
        parameters: {
        };
        /**
         * Let game links open this wheel
         * @description Let game links open this wheel.
         */
        put: operations["openWheelByLinks"];
    };
    "/api/v1/wheels/{wheel}/versions": {
        parameters: {
        };
        /**
         * List the published versions and the prizes given out
         * @description List the published versions and the prizes given out.
         */
        get: operations["listWheelVersions"];
    };
    "/api/v1/wheels/{wheel}/scheduled-publication": {
        parameters: {
        };
        /**
         * Read what is published later
         * @description With the frozen document. Of one that failed, with the reasons.
         */
        get: operations["readScheduledPublication"];
        /**
         * Publish the draft later
         * @description The draft as it is now is published at `at`; later edits are not in it. It replaces an earlier schedule. It is checked now, and again then: with errors nothing is published, and `wheel.publication_failed` is emitted. With `If-Match`, it is refused if the draft has changed since it was read.
         */
        put: operations["schedulePublication"];
        /**
         * Cancel a publication
         * @description Also removes the note of one that failed.
         */
        delete: operations["cancelScheduledPublication"];
    };
    "/api/v1/wheels/{wheel}/simulation": {
        parameters: {
        };
        /**
         * Check and simulate a wheel
         * @description Returns the errors that prevent publication, and the chance, wins and cost of each prize on a day on which nothing runs out. With `days`, every play of these days is simulated too, many times, with stock, limits and dates; `forecast` is the result. It is null without `days`, and for a draft with errors.
         */
        post: operations["simulateWheel"];
    };
    "/api/v1/wheels/{wheel}/paces": {
        parameters: {
        };
        /**
         * List the runs of paced prizes
         * @description What was given, by whole past days. What was released stays secret until a minute after the end of the run, so that nobody can wait for the moment when a unit is free.
         */
        get: operations["listPaces"];
    };
    "/api/v1/wheels/{wheel}/paces/{prize}/certificate": {
        parameters: {
        };
        /**
         * Read the statement about a run
         * @description What rules such as the CAP code of the UK ask for: how winners are drawn, that all units were made available, and how to verify both.
         */
        get: operations["readPaceCertificate"];
    };
    "/api/v1/wheels/{wheel}/versions/{version}": {
        parameters: {
        };
        /**
         * Read a published version
         * @description The whole document, with stock and limits. To go back to it, save it as the draft.
         */
        get: operations["readWheelVersion"];
    };
    "/api/v1/wheels/{wheel}/difference": {
        parameters: {
        };
        /**
         * Compare two versions, or one with the draft
         * @description Segments are matched by their id, not by their place.
         */
        get: operations["compareWheelVersions"];
    };
    "/api/v1/code-pools": {
        parameters: {
        };
        /**
         * List code pools
         * @description List code pools.
         */
        get: operations["listCodePools"];
    };
    "/api/v1/code-pools/{pool}": {
        parameters: {
        };
        /**
         * Read a code pool
         * @description Read a code pool.
         */
        get: operations["readCodePool"];
    };
    "/api/v1/code-pools/{pool}/codes": {
        parameters: {
        };
        /**
         * Add codes to a pool
         * @description Creates the pool if it is new. Codes that it already has are skipped, so an upload can be repeated. Spaces around a code are removed.
         */
        post: operations["uploadCodes"];
    };
    "/api/v1/code-pools/{pool}/uploads": {
        parameters: {
        };
        /**
         * Add codes to a pool from a file
         * @description A file with any number of codes: one per line, the first column of a CSV, or NDJSON (strings, or objects with `code`). Codes are added as they arrive. If an upload is cut off or refused in the middle, send the whole file again.
         */
        post: operations["streamCodes"];
    };
    "/api/v1/players": {
        parameters: {
        };
        /**
         * List and search players
         * @description Sorted by id, byte by byte. A search begins with the ids that start with its text.
         */
        get: operations["listPlayers"];
    };
    "/api/v1/players/{playerId}": {
        parameters: {
        };
        /**
         * Read a player
         * @description Read a player.
         */
        get: operations["readPlayer"];
    };
    "/api/v1/players/{playerId}/block": {
        parameters: {
        };
        /**
         * Block a player
         * @description A blocked player gets no spins and no links, and cannot play. Takes effect at once.
         */
        put: operations["blockPlayer"];
        /**
         * Unblock a player
         * @description A blocked player gets no spins and no links, and cannot play. Takes effect at once.
         */
        delete: operations["unblockPlayer"];
    };
    "/api/v1/players/{playerId}/links/revocation": {
        parameters: {
        };
        /**
         * Revoke all of a player's game links
         * @description Revokes all links made so far, and the sessions that they opened. New links work.
         */
        put: operations["revokePlayerLinks"];
    };
    "/api/v1/players/{playerId}/corrections": {
        parameters: {
        };
        /**
         * Correct a balance
         * @description Adds or removes spins, for a reason. The ledger gets an entry of kind `correction`. The balance never falls below zero. Spins are removed in the order in which a player would use them; added ones expire like granted ones. Spins that a staff member adds count against that person's daily limit.
         */
        post: operations["correctBalance"];
    };
    "/api/v1/players/{playerId}/ledger": {
        parameters: {
        };
        /**
         * List the entries of a player's ledger
         * @description Newest first. The balance of a purse is the sum of its entries. With a campaign, a page may be short or empty and still have a `next`.
         */
        get: operations["listLedgerEntries"];
    };
    "/api/v1/players/{playerId}/personal-data": {
        parameters: {
        };
        /**
         * Erase a player's personal data
         * @description Replaces the id with a random pseudonym, permanently. The player is blocked, and its links stop working. Balance, entries, plays and prizes stay under the pseudonym, so that all sums stay correct. A background job replaces the id in the event log too, and in events that wait to be sent. Events that were already sent cannot be recalled. A keyed hash of the id stays, so that a new player with the id gets no initial spins and no free spins again. What a visitor typed is deleted; a keyed hash of the address stays, so that nobody mails the person again. Messages that wait are not sent. Of the staff, only owners and editors can erase.
         */
        delete: operations["erasePersonalData"];
    };
    "/api/v1/players/{playerId}/consents/withdrawal": {
        parameters: {
        };
        /**
         * Withdraw consents of a visitor
         * @description For somebody who wants no more mail, for example. What was withdrawn stays as a proof, with its time, for `consentYears` of the campaign. A visitor who ticks the box again gives a new consent. The answer has all consents of the visitor.
         */
        put: operations["withdrawConsents"];
    };
    "/api/v1/players/{playerId}/contact": {
        parameters: {
        };
        /**
         * Read a player's contact
         * @description Read a player's contact.
         */
        get: operations["readContact"];
        /**
         * Set a player's contact
         * @description Messages about prizes go to this address instead of the one of an entry. It is stored encrypted, is in the export of personal data, and is erased with the player.
         */
        put: operations["setContact"];
        /**
         * Remove a player's contact
         * @description Remove a player's contact.
         */
        delete: operations["removeContact"];
    };
    "/api/v1/campaigns/{campaign}/messages": {
        parameters: {
        };
        /**
         * Read which messages a campaign sends
         * @description Read which messages a campaign sends.
         */
        get: operations["readMessageSettings"];
        /**
         * Choose which messages a campaign sends
         * @description Takes effect at once, for prizes that are won from now on. A message that waits is not sent if its kind is switched off.
         */
        put: operations["changeMessageSettings"];
    };
    "/api/v1/messages/stop": {
        parameters: {
        };
        /**
         * Read whether messages are stopped
         * @description Read whether messages are stopped.
         */
        get: operations["readMessageStop"];
        /**
         * Stop all messages
         * @description Of all campaigns, at once. Messages that are of no use any more when they are sent again are dropped.
         */
        put: operations["stopMessages"];
        /**
         * Send messages again
         * @description Of all campaigns, at once. Messages that are of no use any more when they are sent again are dropped.
         */
        delete: operations["resumeMessages"];
    };
    "/api/v1/messages": {
        parameters: {
        };
        /**
         * List messages
         * @description Newest first. What a message says and its address are not in the list. Messages are kept for a year; those that were dropped, for 30 days. With filters, a page may be short or empty and still have a `next`.
         */
        get: operations["listMessages"];
    };
    "/api/v1/messages/texts": {
        parameters: {
        };
        /**
         * Read the texts of your messages
         * @description Read the texts of your messages.
         */
        get: operations["readMessageTexts"];
        /**
         * Change the texts of your messages
         * @description For all campaigns; one with own texts in a language keeps them. Takes effect for the next message that is sent.
         */
        put: operations["changeMessageTexts"];
    };
    "/api/v1/messages/preview": {
        parameters: {
        };
        /**
         * See how a message looks
         * @description Made as real messages are, about a prize and spins that do not exist. Nothing is sent.
         */
        post: operations["previewMessage"];
    };
    "/api/v1/messages/dead-addresses": {
        parameters: {
        };
        /**
         * List addresses that refuse mail
         * @description Newest first. Your players get no messages there, until a code proves the address again. A page may be short and still have a `next`.
         */
        get: operations["listDeadAddresses"];
    };
    "/api/v1/messages/dead-addresses/{deadAddress}": {
        parameters: {
        };
        /**
         * Mail an address again
         * @description If you know that the mailbox exists. Messages that were not sent meanwhile stay so; if the next one is refused, the address is dead again.
         */
        delete: operations["liftDeadAddress"];
    };
    "/api/v1/grant-batches": {
        parameters: {
        };
        /**
         * Give spins to many players
         * @description Up to 10000 grants, with one verdict for each, in the same order. A refused grant does not affect the others. `reason` applies to every grant without its own. Staff must give a reason, and their grants count against their daily limit. The same batch with the same `Idempotency-Key` always gets the same verdicts; repeating a batch that was cut off finishes it. A grant with its own `key` is the same grant as with increaseSpin. Batches wait for their turn. Beyond 40000 grants of a merchant in waiting and running batches, or 200000 of all, a batch is refused at once (503 `overloaded` with `Retry-After`).
         */
        post: operations["grantBatch"];
    };
    "/api/v1/grants": {
        parameters: {
        };
        /**
         * Give spins to a player, for a campaign
         * @description Like increaseSpin, with a campaign, a time of expiry and a reason. Creates the player if missing. A key that increaseSpin has used for this player is the same grant. The same key with another campaign, number of spins or time of expiry is refused; a repeat may leave the time out.
         */
        post: operations["grantSpins"];
    };
    "/api/v1/players/{playerId}/grants": {
        parameters: {
        };
        /**
         * Give spins to a player, for a reason
         * @description Creates the player if missing. The ledger, the event and the audit log name the giver. Staff with the role support have a daily limit: `supportDailyGrantMax`. A key that increaseSpin has used for this player is the same grant.
         */
        post: operations["givePlayerSpins"];
    };
    "/api/v1/links": {
        parameters: {
        };
        /**
         * Create a game link for a campaign
         * @description Like `POST /api/game/sso`, with a campaign, a language and a lifetime. `initialSpins` are granted once per player and campaign. With an `Idempotency-Key`, a repeat gets the same link, until it expires. A revoked link stays revoked: another needs a new key.
         */
        post: operations["createLink"];
    };
    "/api/v1/players/{playerId}/wallet-links": {
        parameters: {
        };
        /**
         * Create a link to a player's wallet
         * @description The wallet shows the prizes that the player has won, with their codes. The link is valid until 90 days after the last day of these prizes, and at most two years. Revoke it like a game link.
         */
        post: operations["createWalletLink"];
    };
    "/api/v1/players/{playerId}/links": {
        parameters: {
        };
        /**
         * List a player's live links
         * @description Newest first, without expired and revoked links. Links are read from the event log: a link appears about a second after it was made, and is listed for as long as events are kept. A page reads a limited part of the log, so it may be short or empty and still have a `next`.
         */
        get: operations["listLinksOfPlayer"];
        /**
         * Create a game link by hand
         * @description Like `POST /api/game/sso`, but without spins. The event and the audit log name its creator. Staff with the role support can create links only for players who exist.
         */
        post: operations["createLinkByHand"];
    };
    "/api/v1/links/revoked": {
        parameters: {
        };
        /**
         * List revoked links
         * @description Sorted by when the links were created, newest first.
         */
        get: operations["listRevokedLinks"];
    };
    "/api/v1/links/{linkId}/revocation": {
        parameters: {
        };
        /**
         * Revoke a game link
         * @description The link and its sessions stop working at once. Repeating the call is safe.
         */
        put: operations["revokeLink"];
    };
    "/api/v1/link-lists/{list}": {
        parameters: {
        };
        /**
         * Read how far a list of links is
         * @description Read how far a list of links is.
         */
        get: operations["readLinkList"];
        /**
         * Make links for a list of players
         * @description For up to 100000 players. The links are made in the background, by the same rules as single links and with their events; a player who may have none is named in the file. All links of a list end together, and so does the list. A repeat of the request returns the list. A merchant can have 20 lists.
         */
        put: operations["createLinkList"];
        /**
         * Delete a list of links
         * @description The file is gone. The links that were sent stay valid until they end or are revoked.
         */
        delete: operations["deleteLinkList"];
    };
    "/api/v1/link-lists": {
        parameters: {
        };
        /**
         * List the lists of links
         * @description Newest first, without those whose links have ended.
         */
        get: operations["listLinkLists"];
    };
    "/api/v1/link-lists/{list}/revocation": {
        parameters: {
        };
        /**
         * Revoke the links of a list
         * @description All its links stop working at once, and the list is deleted.
         */
        put: operations["revokeLinkList"];
    };
    "/api/v1/plays": {
        parameters: {
        };
        /**
         * List plays with their proofs
         * @description Newest first. With filters, a page may be short or empty and still have a `next`. The published wheel of a play is at `/api/v1/game/versions/{hash}`.
         */
        get: operations["listPlays"];
    };
    "/api/v1/plays/{playId}": {
        parameters: {
        };
        /**
         * Read a play with its proof
         * @description Read a play with its proof.
         */
        get: operations["readPlay"];
    };
    "/api/v1/prizes": {
        parameters: {
        };
        /**
         * List prizes that were won
         * @description Newest first. Won spins are not listed, because they need no settlement. With filters other than `code` and `playerId`, a page may be short or empty and still have a `next`.
         */
        get: operations["listPrizes"];
    };
    "/api/v1/prizes/{playId}": {
        parameters: {
        };
        /**
         * Read a prize that was won
         * @description Read a prize that was won.
         */
        get: operations["readPrize"];
    };
    "/api/v1/prizes/{playId}/claim": {
        parameters: {
        };
        /**
         * Claim a prize
         * @description The player wants the prize. A claimed prize does not expire.
         */
        put: operations["claimPrize"];
    };
    "/api/v1/prizes/{playId}/redemption": {
        parameters: {
        };
        /**
         * Redeem a prize
         * @description The prize was handed over or used. Only the first redemption succeeds; a second one is refused.
         */
        put: operations["redeemPrize"];
    };
    "/api/v1/prizes/{playId}/cancellation": {
        parameters: {
        };
        /**
         * Cancel a prize
         * @description The player does not get the prize. Unless `returnStock` is false, a prize with a stock goes back into it. A code is never given out again, because a player has seen it.
         */
        put: operations["cancelPrize"];
    };
    "/api/v1/prizes/{playId}/redemption-reversal": {
        parameters: {
        };
        /**
         * Take back a redemption
         * @description For a redemption by mistake, with a reason. The prize is `claimed` again: it does not expire, and can be redeemed or cancelled. Possible for as long as the merchant setting `redemptionReversalHours` says. Needs the scope `manage`; among staff, the role owner or editor.
         */
        put: operations["reverseRedemption"];
    };
    "/api/v1/prizes/{playId}/release": {
        parameters: {
        };
        /**
         * Release a held prize
         * @description The player gets the prize, and its time to claim begins. Needs the scope `manage`; among staff, the role owner or editor. A repeat changes nothing.
         */
        put: operations["releasePrize"];
    };
    "/api/v1/prizes/{playId}/refusal": {
        parameters: {
        };
        /**
         * Refuse a held prize
         * @description The player does not get the prize, and reads the reason. Its unit goes back into its stock, and its code into its pool: nobody has seen it. Needs the scope `manage`; among staff, the role owner or editor. A repeat changes nothing.
         */
        put: operations["refusePrize"];
    };
    "/api/v1/reports/days": {
        parameters: {
        };
        /**
         * Report by day
         * @description Days in the merchant's time zone, including days without activity.
         */
        get: operations["reportDays"];
    };
    "/api/v1/reports/prizes": {
        parameters: {
        };
        /**
         * Report by prize
         * @description Every segment of the wheels that were played, with the number of draws that its weight predicts.
         */
        get: operations["reportPrizes"];
    };
    "/api/v1/reports/performance": {
        parameters: {
        };
        /**
         * Report by wheel and campaign, compared with another period
         * @description Totals, and the same figures by day. A day is compared with the day at the same place of the other period.
         */
        get: operations["reportPerformance"];
    };
    "/api/v1/reports/funnel": {
        parameters: {
        };
        /**
         * Report how far visits came
         * @description A visit is a player who opened the wheel of a campaign on a day. It is opened, played, won, claimed and redeemed; each stage includes those after it. A claim or redemption counts for the day of the visit, and not any more once it is taken back. Spins that were won are not a prize here.
         */
        get: operations["reportFunnel"];
    };
    "/api/v1/reports/cohorts": {
        parameters: {
        };
        /**
         * Report players who came back, by week
         * @description Players by the week of their first play, and how many of them played in each week since. Weeks start on Monday. Without `from`, the last 12 weeks.
         */
        get: operations["reportCohorts"];
    };
    "/api/v1/events": {
        parameters: {
        };
        /**
         * Read events
         * @description A merchant's events are numbered 1, 2, 3 … without a gap, and no event ever appears before one that was already read. Send `next` of each answer as `after` of the next request. With `wait`, the answer comes as soon as there is an event.
         */
        get: operations["readEvents"];
    };
    "/api/v1/events/search": {
        parameters: {
        };
        /**
         * Search events, the newest first
         * @description For people who look for something. To process events, read them in order. A page may hold few events, or none, and still have a `next`: filters read a bounded part of the log.
         */
        get: operations["searchEvents"];
    };
    "/api/v1/events/{event}": {
        parameters: {
        };
        /**
         * Read an event
         * @description By its id, which a webhook sends as `webhook-id`, or by its number. For as long as the log keeps it.
         */
        get: operations["readEvent"];
    };
    "/api/v1/events/tickets": {
        parameters: {
        };
        /**
         * Get a ticket for the live stream
         * @description For a browser's `EventSource`, which can't send an Authorization header. The ticket is good for one connection within 60 seconds. The stream ends when the service token that asked for it is revoked or expires.
         */
        post: operations["createEventTicket"];
    };
    "/api/v1/webhooks": {
        parameters: {
        };
        /**
         * List webhooks
         * @description List webhooks.
         */
        get: operations["listWebhooks"];
        /**
         * Create a webhook
         * @description The webhook gets all events from now on, signed with its own secret. Only this answer shows the secret.
         */
        post: operations["createWebhook"];
    };
    "/api/v1/webhooks/{webhook}": {
        parameters: {
        };
        /**
         * Read a webhook
         * @description Read a webhook.
         */
        get: operations["readWebhook"];
        /**
         * Delete a webhook
         * @description Deletes its deliveries and attempts too. Requests in flight may still arrive.
         */
        delete: operations["deleteWebhook"];
        /**
         * Change a webhook
         * @description Omitted fields stay as they are. New types apply to events that were not sent yet.
         */
        patch: operations["changeWebhook"];
    };
    "/api/v1/webhooks/{webhook}/pause": {
        parameters: {
        };
        /**
         * Pause a webhook
         * @description Nothing is sent; events wait in the log.
         */
        put: operations["pauseWebhook"];
        /**
         * Resume a webhook
         * @description Ends a pause, or enables a disabled webhook. It continues where it stopped.
         */
        delete: operations["resumeWebhook"];
    };
    "/api/v1/webhooks/{webhook}/secret": {
        parameters: {
        };
        /**
         * Rotate the secret of a webhook
         * @description Makes a new secret. Only this answer shows it. For a day, events are signed with both secrets, so that the receiver has time to change.
         */
        post: operations["rotateWebhookSecret"];
    };
    "/api/v1/webhooks/{webhook}/test": {
        parameters: {
        };
        /**
         * Send a test event
         * @description Sends an event of type `webhook.test` at once and returns the result. The event is not in the log (its `seq` is 0) and is not retried.
         */
        post: operations["testWebhook"];
    };
    "/api/v1/webhooks/{webhook}/deliveries": {
        parameters: {
        };
        /**
         * List dead letters and events that wait for a retry
         * @description List dead letters and events that wait for a retry.
         */
        get: operations["listWebhookDeliveries"];
    };
    "/api/v1/webhooks/{webhook}/attempts": {
        parameters: {
        };
        /**
         * List attempts, newest first
         * @description List attempts, newest first.
         */
        get: operations["listWebhookAttempts"];
    };
    "/api/v1/webhooks/{webhook}/resend": {
        parameters: {
        };
        /**
         * Count the events that a resend would send
         * @description Takes the fields of a resend as query parameters, and sends nothing. Without any, it counts all.
         */
        get: operations["countResend"];
        /**
         * Send events again
         * @description One event (`seq`), a range (`fromSeq`, `toSeq`), or all since a time (`since`). By default only dead letters; with `only: "all"`, every event in the log. Events keep their ids. One event is queued at once (200). Many are queued in the background (202); read the resend for its progress.
         */
        post: operations["resendEvents"];
    };
    "/api/v1/webhooks/{webhook}/resends": {
        parameters: {
        };
        /**
         * List resends
         * @description The newest 100.
         */
        get: operations["listResends"];
    };
    "/api/v1/webhooks/{webhook}/resends/{resend}": {
        parameters: {
        };
        /**
         * Read a resend
         * @description Read a resend.
         */
        get: operations["readResend"];
    };
    "/api/v1/merchant": {
        parameters: {
        };
        /**
         * Read the merchant and its settings
         * @description Read the merchant and its settings.
         */
        get: operations["readMerchant"];
        /**
         * Change settings
         * @description Omitted settings stay as they are. Takes effect in all processes within 5 seconds. With `If-Match`, the change is refused if the settings have changed since they were read.
         */
        patch: operations["changeMerchant"];
    };
    "/api/v1/tokens": {
        parameters: {
        };
        /**
         * List service tokens
         * @description Without their secrets, which are never shown again.
         */
        get: operations["listTokens"];
        /**
         * Issue a service token
         * @description Only this answer shows the token.
         */
        post: operations["issueToken"];
    };
    "/api/v1/tokens/{tokenId}": {
        parameters: {
        };
        /**
         * Revoke a service token
         * @description Takes effect in all processes within 5 seconds. A token may revoke itself.
         */
        delete: operations["revokeToken"];
    };
    "/api/v1/audit-log": {
        parameters: {
        };
        /**
         * List the audit log
         * @description Newest first. Entries are never changed or deleted. With filters, a page may be short or empty and still have a `next`.
         */
        get: operations["listAuditLog"];
    };
    "/api/v1/requests": {
        parameters: {
        };
        /**
         * List recent requests and their answers
         * @description Newest first: the last 1000 with a valid service token, or the last 1000 that were refused. Requests that another process has answered appear within ten seconds. Requests of the console are not included.
         */
        get: operations["listRecentRequests"];
    };
    "/api/v1/seals": {
        parameters: {
        };
        /**
         * List the seals over the ledger
         * @description Newest first. Keep the newest one outside of this server: with it, `wheelhouse audit --seals` finds manual edits of the entries that it covers.
         */
        get: operations["listSeals"];
    };
    "/api/v1/test-merchant": {
        parameters: {
        };
        /**
         * Read the test merchant
         * @description Refused with `merchant_not_found` if there is none yet.
         */
        get: operations["readTestMerchant"];
        /**
         * Create the test merchant
         * @description With copies of wheels, campaigns and settings, and with sample codes. If there is one already, nothing changes.
         */
        put: operations["createTestMerchant"];
        /**
         * Create the test merchant, and a token for it
         * @description The test merchant is created with the first call: with copies of wheels, campaigns and settings, and with sample codes. Every call issues another token of it. The token is shown only in this answer.
         */
        post: operations["openTestMerchant"];
        /**
         * Remove a test merchant
         * @description Its tokens, links and webhooks end. Its id is free again.
         */
        delete: operations["removeTestMerchant"];
    };
    "/api/v1/test-merchants": {
        parameters: {
        };
        /**
         * List the test merchants
         * @description At most 20, the one without a name first.
         */
        get: operations["listTestMerchants"];
    };
    "/api/v1/test-merchant/wheels/{id}/promotion": {
        parameters: {
        };
        /**
         * Show what the promotion of a wheel would change
         * @description Compares the version that is published at the test merchant with the live merchant. Live stock stays, and new prizes begin with the stock of the document. Codes are never copied.
         */
        get: operations["readWheelPromotion"];
        /**
         * Promote a wheel to the live merchant
         * @description Makes exactly the changes that were shown, which `If-Match` names. The live wheel gets a new draft, or is published with `publish`. Refused if either merchant has changed since.
         */
        post: operations["promoteWheel"];
    };
    "/api/v1/test-merchant/campaigns/{id}/promotion": {
        parameters: {
        };
        /**
         * Show what the promotion of a campaign and its wheel would change
         * @description Compares the version that is published at the test merchant with the live merchant. Live stock stays, and new prizes begin with the stock of the document. Codes are never copied.
         */
        get: operations["readCampaignPromotion"];
        /**
         * Promote a campaign and its wheel to the live merchant
         * @description Makes exactly the changes that were shown, which `If-Match` names. The live wheel gets a new draft, or is published with `publish`. Refused if either merchant has changed since.
         */
        post: operations["promoteCampaign"];
    };
    "/api/v1/test/clock": {
        parameters: {
        };
        /**
         * Read the clock of the test merchant
         * @description Read the clock of the test merchant.
         */
        get: operations["readTestClock"];
        /**
         * Set the clock of the test merchant
         * @description Everything of the test merchant follows its clock: schedules, links, spins, prizes, limits per day, retention, and the times in lists and events. The clock goes forward only, at most two years in one step, and runs on from there. What is due by then is done before the answer.
         */
        put: operations["setTestClock"];
    };
    "/api/v1/test/reset": {
        parameters: {
        };
        /**
         * Start again with a fresh test merchant
         * @description Players, balances, plays, stock and events begin anew, and the clock shows the real time. Settings, wheels, campaigns, webhooks and tokens stay. Code pools have sample codes again. Game links from before end.
         */
        post: operations["resetTestMerchant"];
    };
    "/api/v1/test/events": {
        parameters: {
        };
        /**
         * Write a sample event
         * @description Writes an event with the example data of its type into the log of the test merchant. Webhooks and readers get it like any other event. Nothing else changes.
         */
        post: operations["sendSampleEvent"];
    };
    "/api/v1/test/plays": {
        parameters: {
        };
        /**
         * Spin the wheel without a page
         * @description Spends a spin of a player of the test merchant, and draws a prize, as the game does: with the same ledger, stock, proof and events. Needs no link. The same `playId` always returns the same play. Of two plays of a player at once, one is refused with `play_outdated`.
         */
        post: operations["playInTest"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        GamePlay: {
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
            prize: components["schemas"]["GamePrize"];
            proof: components["schemas"]["PlayProof"];
        };
        WheelDocument: {
            name: string;
            /**
             * @description The time zone of days and hours.
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
            budget?: components["schemas"]["Budget"];
            /** @description The id of the segment that is used when a drawn prize cannot be given. */
            fallback: string;
            segments: components["schemas"]["Segment"][];
            look?: components["schemas"]["WheelLook"];
            /**
             * @description The language of labels, titles and instructions, and of texts for all other players.
             * @example de
             */
            language?: string;
            texts?: {
                [key: string]: components["schemas"]["WheelTexts"];
            };
            /** @description The outdated translations: their text has changed since they were made. The server keeps this list, also if a save leaves it out. An entry with the text of today confirms a translation. Not published. */
            translatedFrom?: components["schemas"]["TranslatedFrom"][];
        };
        Event: components["schemas"]["PlayerCreatedEvent"] | components["schemas"]["SpinsGrantedEvent"] | components["schemas"]["SpinsCorrectedEvent"] | components["schemas"]["SpinsExpiringEvent"] | components["schemas"]["SpinsExpiredEvent"] | components["schemas"]["StreakChangedEvent"] | components["schemas"]["EntryCreatedEvent"] | components["schemas"]["EntryVerifiedEvent"] | components["schemas"]["EntryRefusedEvent"] | components["schemas"]["EntryAnsweredEvent"] | components["schemas"]["ConsentWithdrawnEvent"] | components["schemas"]["LinkCreatedEvent"] | components["schemas"]["LinkOpenedEvent"] | components["schemas"]["PlayerLimitedEvent"] | components["schemas"]["PlayerBlockedEvent"] | components["schemas"]["PlayerUnblockedEvent"] | components["schemas"]["PlayCompletedEvent"] | components["schemas"]["PlayRefusedEvent"] | components["schemas"]["PrizeHeldEvent"] | components["schemas"]["PrizeReleasedEvent"] | components["schemas"]["PrizeRefusedEvent"] | components["schemas"]["PrizeWonEvent"] | components["schemas"]["PrizeClaimedEvent"] | components["schemas"]["PrizeRedeemedEvent"] | components["schemas"]["PrizeRedemptionReversedEvent"] | components["schemas"]["PrizeCancelledEvent"] | components["schemas"]["PrizeExpiredEvent"] | components["schemas"]["PrizeStockLowEvent"] | components["schemas"]["PrizeStockOutEvent"] | components["schemas"]["WheelPublishedEvent"] | components["schemas"]["WheelPausedEvent"] | components["schemas"]["WheelResumedEvent"] | components["schemas"]["WheelDriftedEvent"] | components["schemas"]["WheelPublicationFailedEvent"] | components["schemas"]["CampaignCreatedEvent"] | components["schemas"]["CampaignChangedEvent"] | components["schemas"]["CampaignChangeFailedEvent"] | components["schemas"]["CampaignPausedEvent"] | components["schemas"]["CampaignResumedEvent"] | components["schemas"]["CampaignOpenedEvent"] | components["schemas"]["CampaignClosedEvent"] | components["schemas"]["CampaignArchivedEvent"] | components["schemas"]["CampaignRestoredEvent"] | components["schemas"]["TokenIssuedEvent"] | components["schemas"]["TokenRevokedEvent"] | components["schemas"]["MessageSentEvent"] | components["schemas"]["MessageFailedEvent"] | components["schemas"]["WebhookDisabledEvent"];
        FieldError: {
            /** @description JSON pointer to the wrong field, or the name of a parameter after a slash. */
            pointer: string;
            detail: string;
        };
        PrizeTexts: {
            label?: string;
            title?: string;
            instructions?: string;
        };
        GamePrize: {
            kind: string;
            title: string | null;
            instructions: string | null;
            spins: number | null;
            code: string | null;
            url: string | null;
            points: number | null;
            claimBefore: string | null;
            /**
             * @description Why how to use it is left out: `claim`: until the visitor has claimed it by `claimOwnPrize`; `check`: until the merchant has checked and released it; `refused`: for good. Missing otherwise.
             * @enum {string}
             */
            withheld?: "claim" | "check" | "refused";
            /**
             * Format: date-time
             * @description By when the merchant wants to have checked it. Missing if it is not being checked.
             */
            heldUntil?: string;
            /** @description Label, title and instructions by language (BCP 47), if the merchant wrote several. */
            translations?: {
                [key: string]: components["schemas"]["PrizeTexts"];
            };
        };
        PaceGate: {
            segment: number | null;
            /** @description The run, as published. */
            run: number;
            /** @description The hash over all awards before, in hex. It fixes how many units were given and had come back. These numbers, and how many were released, follow from the run, which is public after its end. */
            head: string;
            /** @description Why the last call passed over this prize although it was released. */
            reason?: string;
        };
        PlayProof: {
            serverSeed: string;
            commitment: string;
            playerSeed: string;
            playNumber: number;
            /** @description SHA-256, in lower-case hexadecimal, of the published text of the version: of exactly the bytes that `GET /api/v1/game/versions/{hash}` answers with. They are the UTF-8 bytes of `wheel.published` of a session. It is not the hash of `document`. */
            versionHash: string;
            ticket: number;
            weightTotal: number;
            /** @description The segment that owns the ticket. */
            drawn: number;
            /** @description The gates of paced prizes and of the budget that the play met. */
            gates?: components["schemas"]["PaceGate"][];
            /**
             * @description The outcome was asked for, in a test. The play never verifies.
             * @enum {boolean}
             */
            forced?: true;
        };
        Period: {
            /**
             * Format: date-time
             * @description A moment, as RFC 3339.
             * @example 2026-12-01T00:00:00Z
             */
            from: string;
            /**
             * Format: date-time
             * @description A moment, as RFC 3339.
             * @example 2026-12-01T00:00:00Z
             */
            until: string;
        };
        Budget: {
            /** @description What all prizes with a cost may cost in all periods together. It is released evenly. */
            amount: number;
            /** @description When it runs. Periods must not overlap. */
            periods: components["schemas"]["Period"][];
            /** @description Monday is 1. */
            days?: number[];
            hours?: {
                /** @example 09:00 */
                from: string;
                /** @example 09:00 */
                to: string;
            };
        };
        SegmentPrize: {
            /**
             * @description none; spins; a code from a pool; one fixed code; a link; loyalty points; something that the merchant hands over.
             * @enum {string}
             */
            kind: "none" | "spins" | "pool" | "fixed" | "link" | "points" | "handover";
            /** @description How many, for spins. */
            spins?: number;
            /** @description The code pool, for pool. */
            pool?: string;
            /** @description The code, for fixed, without a space at either end. */
            code?: string;
            /** @description The address, for link: https, without a user name. */
            url?: string;
            /** @description How many, for points. */
            points?: number;
        };
        SegmentTranslation: {
            /** @description The text on the wheel. */
            label?: string;
            /** @description What was won, in a sentence. */
            title?: string;
            /** @description What to do with it. */
            instructions?: string;
        };
        Pace: {
            /** @description How many can be won in all periods together. Each is released at a random moment. */
            units: number;
            /** @description When it runs. Periods must not overlap. */
            periods: components["schemas"]["Period"][];
            /** @description Monday is 1. */
            days?: number[];
            hours?: {
                /** @example 09:00 */
                from: string;
                /** @example 09:00 */
                to: string;
            };
            /** @description In this last part of the time, plays that draw the fallback get units that are left. */
            lastCallSeconds?: number;
        };
        /** @description When the prize is held until staff have checked it: if one of the conditions is true; without any, every time. */
        HoldRule: {
            /** @description If the player was created less than so many hours ago. */
            newPlayerHours?: number;
            /** @description If the player has won more prizes than this within 24 hours, this one included. Spins do not count. */
            winsPerDay?: number;
            /** @description If the player's prizes of the last 24 hours, this one included, cost more than this. */
            costPerDay?: number;
            /** @description How long the check may take, as players are told. 72 hours by default. */
            checkHours?: number;
        };
        Segment: {
            /** @description The permanent id of the prize, in all versions. Stock and limits are counted by it. */
            id: string;
            /** @description The text on the wheel. */
            label: string;
            /**
             * @description Colour as #rrggbb.
             * @example #e11d48
             */
            color: string;
            /** @description An emoji. */
            icon?: string;
            /** @description A small picture as a data URL: PNG, JPEG or WebP, at most 36 kB. */
            image?: string;
            /** @description Its chance is weight over the sum of all weights. */
            weight: number;
            prize: components["schemas"]["SegmentPrize"];
            /** @description What was won, in a sentence. */
            title?: string;
            /** @description What to do with it. */
            instructions?: string;
            translations?: {
                [key: string]: components["schemas"]["SegmentTranslation"];
            };
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
            pace?: components["schemas"]["Pace"];
            claimWithinSeconds?: number;
            /** @description Whether players claim it themselves, in the wallet. A claimed prize does not expire. */
            claimInWallet?: boolean;
            hold?: components["schemas"]["HoldRule"];
            /** @description The cost of one prize, for the simulation and the budget. */
            cost?: number;
        };
        WheelLook: {
            merchantName?: string;
            /** @description A small picture as a data URL: PNG, JPEG or WebP, at most 36 kB. */
            logo?: string;
            /** @description One of dark, light, cafe, corporate, playful, minimal, sport, spring, summer, autumn, winter. */
            theme?: string;
            /** @description One of system, manrope, quicksand, fredoka, oswald, domine, podkova. */
            font?: string;
            /** @description One of none, chimes, marimba, arcade, stadium, bells, soft. */
            sound?: string;
            /** @description A short sound for each segment that passes: MP3 or WAV, at most 0.5 s and 12 kB. */
            tickSound?: string;
            /** @description A sound for a win: MP3 or WAV, at most 6 s and 36 kB. */
            winSound?: string;
            /**
             * @description How the texts of the game address the player, in languages that distinguish it.
             * @enum {string}
             */
            address?: "informal" | "formal";
            /** @description A small picture as a data URL: PNG, JPEG or WebP, at most 36 kB. */
            picture?: string;
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
            /** @enum {string} */
            pointer?: "top" | "right" | "bottom" | "left";
            /** @enum {string} */
            direction?: "clockwise" | "counterclockwise";
            /**
             * @description Segments of equal width, or as wide as their chance.
             * @enum {string}
             */
            widths?: "equal" | "weight";
        };
        WheelTexts: {
            title?: string;
            subtitle?: string;
            button?: string;
            won?: string;
            noLuck?: string;
        };
        TranslatedFrom: {
            language: string;
            /** @description Missing for a text of the wheel. */
            segment?: string;
            /** @enum {string} */
            field: "label" | "title" | "instructions" | "subtitle" | "button" | "won" | "noLuck";
            /** @description The text that the translation was made from; empty if it is not known. */
            text: string;
        };
        /** @description A player was created. */
        PlayerCreatedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
            };
        };
        /** @description A player got spins. */
        SpinsGrantedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
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
                 * @description `grant`: increaseSpin, a batch, or by hand; `initial`: the first game link; `prize`: won in a play; `free`: a free spin that was collected; `entry`: a visitor entered.
                 * @example grant
                 * @enum {string}
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
        };
        /** @description A player's balance was corrected by hand. */
        SpinsCorrectedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description Some of a player's spins will expire soon. Once for each grant, the merchant's `spinExpiryNoticeHours` before. */
        SpinsExpiringEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "spins.expiring";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description Some of a player's spins expired: what was left of one grant. */
        SpinsExpiredEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
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
        };
        /** @description A player has collected free spins, and the streak has grown or begun anew. Periods in which the game was closed, paused or down break no streak. A streak that is over is noticed when the player comes back. */
        StreakChangedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "streak.changed";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description A visitor entered a campaign. */
        EntryCreatedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "entry.created";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
                     * @enum {string}
                     */
                    purpose: "marketing" | "other";
                    /**
                     * @description `confirmed`: a code proved the address. Send marketing mail only then.
                     * @example confirmed
                     * @enum {string}
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
        };
        /** @description A code proved the address of a visitor who had entered before. */
        EntryVerifiedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "entry.verified";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
                     * @enum {string}
                     */
                    purpose: "marketing" | "other";
                    /**
                     * @description `confirmed`: a code proved the address. Send marketing mail only then.
                     * @example confirmed
                     * @enum {string}
                     */
                    state: "given" | "confirmed";
                }[];
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
        };
        /** @description A visitor was refused. Nothing about the visitor is kept. */
        EntryRefusedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "entry.refused";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
                /**
                 * @description The code of the refusal.
                 * @example entry_known
                 * @enum {string}
                 */
                reason: "entry_known" | "entry_too_young" | "address_disposable";
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
        };
        /** @description A visitor answered the form after a win, or the one to claim a prize. */
        EntryAnsweredEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "entry.answered";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
                     * @enum {string}
                     */
                    purpose: "marketing" | "other";
                    /**
                     * @description `confirmed`: a code proved the address. Send marketing mail only then.
                     * @example confirmed
                     * @enum {string}
                     */
                    state: "given" | "confirmed";
                }[];
                /**
                 * @description Which form it was.
                 * @example toClaim
                 * @enum {string}
                 */
                asked: "afterWin" | "toClaim";
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
        };
        /** @description A visitor withdrew consents. Send nothing any more that needs them. */
        ConsentWithdrawnEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "consent.withdrawn";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
                     * @enum {string}
                     */
                    purpose: "marketing" | "other";
                }[];
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
        };
        /** @description A link to the game, or to the wallet, was created. */
        LinkCreatedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
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
                 * @enum {string}
                 */
                opens?: "wallet";
            };
        };
        /** @description A player opened its game link. A link can be opened many times. A page that stays open and asks for news causes no further event; one that repeats its first request after a lost answer causes two. */
        LinkOpenedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
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
                 * @description The id of the campaign, or `*` for the lobby. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
        };
        /** @description A player exceeded a rate limit and was refused; it may be a bot. At most one event per minute and server process. Block the player, revoke its links, or verify the player before the next link. */
        PlayerLimitedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
                /**
                 * @description Your identifier of the player.
                 * @example alice
                 */
                playerId: string;
                /**
                 * @description The limit: plays, or openings of links.
                 * @example plays
                 * @enum {string}
                 */
                limit: "plays" | "sessions";
                /**
                 * @description The limit, per minute.
                 * @example 120
                 */
                perMinute: number;
            };
        };
        /** @description A player was blocked from spins, links and plays. */
        PlayerBlockedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "player.blocked";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description The block of a player ended. */
        PlayerUnblockedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "player.unblocked";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description A player has spun the wheel. */
        PlayCompletedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
                     * @enum {string}
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
        };
        /** @description A play was refused after the page had sent its seed. Nothing was played. A few are normal, such as when a wheel is published or paused while people play; many of one player are worth a look. */
        PlayRefusedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "play.refused";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
                 * @enum {string}
                 */
                reason: "play_outdated" | "wheel_paused" | "wheel_closed" | "no_spins";
            };
        };
        /** @description A player has won a prize that is held until staff have checked it. `prize.won` follows if they release it. */
        PrizeHeldEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "prize.held";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
                 * @enum {string}
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
        };
        /** @description A held prize was released. `prize.won` is the next event. */
        PrizeReleasedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "prize.released";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description A held prize was refused. The player does not get it. */
        PrizeRefusedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "prize.refused";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
                 * @enum {string}
                 */
                reason: "terms_not_met" | "entered_repeatedly" | "details_not_confirmed" | "technical_error";
            };
        };
        /** @description A player has won a prize. One that was held: it was released. */
        PrizeWonEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
                 * @enum {string}
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
        };
        /** @description A prize was claimed for a player, by a token or a person. */
        PrizeClaimedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description A prize was handed over or used. */
        PrizeRedeemedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description A redemption was taken back. The prize is claimed and open again. */
        PrizeRedemptionReversedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "prize.redemption_reversed";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description A prize was cancelled. */
        PrizeCancelledEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description A prize was not claimed in time. */
        PrizeExpiredEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description A tenth of the stock of a prize is left, rounded down. Not for a stock below 10. */
        PrizeStockLowEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
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
        };
        /** @description The stock of a prize is empty. */
        PrizeStockOutEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
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
        };
        /** @description A version of a wheel was published. */
        WheelPublishedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
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
        };
        /** @description A wheel was paused. Players cannot play it. */
        WheelPausedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
            };
        };
        /** @description The pause of a wheel ended. */
        WheelResumedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
                /**
                 * @description The id of the wheel.
                 * @example main
                 */
                wheel: string;
            };
        };
        /** @description A prize was drawn more or less often than chance explains: beyond six standard deviations, over the last 30 days. Checked once a day. Verify the plays: something is wrong. */
        WheelDriftedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wheel.drifted";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
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
        };
        /** @description A scheduled publication failed, because the wheel has problems by now. Nothing was published, and it is not tried again. */
        WheelPublicationFailedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wheel.publication_failed";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description A campaign was created. */
        CampaignCreatedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.created";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description The settings of a campaign were changed. */
        CampaignChangedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.changed";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description The scheduled change of a campaign to another wheel failed. Nothing was changed, and it is not tried again. */
        CampaignChangeFailedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.change_failed";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description A campaign was paused. Players cannot play it. */
        CampaignPausedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.paused";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description The pause of a campaign ended. */
        CampaignResumedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.resumed";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description The time `opensAt` of a campaign has passed, or an ended campaign got a later `closesAt`. The opening hours of its wheel cause no events, nor does a campaign without `opensAt`. */
        CampaignOpenedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.opened";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description The time `closesAt` of a campaign has passed. It accepts no more spins, links and plays. */
        CampaignClosedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.closed";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description A campaign was archived. Balances are kept. */
        CampaignArchivedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.archived";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description An archived campaign was restored. */
        CampaignRestoredEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.restored";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        /** @description A service token was issued. */
        TokenIssuedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
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
        };
        /** @description A service token was revoked. */
        TokenRevokedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
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
        };
        /** @description The SMTP server has accepted a message to a player. */
        MessageSentEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.sent";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
                 * @enum {string}
                 */
                kind: "won" | "claim_ends" | "spins_waiting" | "spins_expire";
                /**
                 * @description The id of the campaign. Missing for `main`.
                 * @example summer
                 */
                campaign?: string;
            };
        };
        /** @description A message to a player was given up. A message that is not needed any more causes no event. */
        MessageFailedEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.failed";
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
                 * @enum {string}
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
        };
        /** @description A webhook was disabled. It gets no events until it is resumed. */
        WebhookDisabledEvent: {
            /**
             * @description The permanent id of the event. A receiver that gets an event twice recognises it by this id.
             * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
             */
            id: string;
            /** @description Its number among the events of the merchant. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description Only in events of a test merchant.
             * @enum {boolean}
             */
            live?: false;
            data: {
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
        };
        IncreaseSpinBody: {
            /**
             * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
             * @example alice
             */
            playerId: string;
            /**
             * @description Number of spins to add.
             * @example 5
             */
            spinNumber: number;
        };
        IncreaseSpinAnswer: {
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
        CreateGameLinkBody: {
            /**
             * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
             * @example alice
             */
            playerId: string;
            /**
             * @description Spins for a newcomer: added once per player, by the first game-link request that names more than 0. `null` is the same as no value.
             * @example 3
             */
            initialSpin?: number | null;
        };
        GameLink: {
            /**
             * Format: uri
             * @description Address of the game for this player; it contains the token.
             */
            link: string;
            /** @description Signed token of the game session. */
            token: string;
        };
        CampaignText: {
            name?: string;
            description?: string;
        };
        FreeSpinRule: {
            /**
             * @description `day`, `week`, or a duration such as `PT4H`, from 15 minutes to 7 days. Days and weeks follow the calendar; durations count from 1970-01-01T00:00Z.
             * @example day
             */
            every: string;
            /** @description Spins in each period; 1 by default. */
            amount: number;
            /** @description When days and weeks begin, by the clock of the time zone; `00:00` by default. */
            at: string;
            /** @description The first day of weeks; 1 is Monday, the default. */
            weekday: number;
            /**
             * @description Whose days count: in the wheel's time zone (the default), or in the player's. The player's is that of the game link, or else of the browser.
             * @enum {string}
             */
            zone: "wheel" | "player";
            /** @description For how many periods free spins are kept; 1 by default. A player who comes back later gets those of at most this number of periods. */
            bank: number;
            /**
             * @description What collects them: opening the game (the default), or only playing.
             * @enum {string}
             */
            on: "visit" | "play";
            /**
             * @description Extra spins for collecting in `length` periods in a row, with rising lengths.
             * @example [
             *       {
             *         "length": 7,
             *         "spins": 3
             *       }
             *     ]
             */
            streaks: {
                /** @description Periods in a row. */
                length: number;
                /** @description Extra spins. */
                spins: number;
            }[];
            /** @description There are none from then on; null for no end. */
            endsAt: string | null;
        };
        ScheduledWheel: {
            /** Format: date-time */
            at: string;
            /**
             * @description Who scheduled it.
             * @example staff:anna@example.com
             */
            by: string;
            /** Format: date-time */
            scheduledAt: string;
            /** @description When it failed. Nothing was changed then, and it is not tried again. */
            failedAt: string | null;
            /** @description Why it failed. */
            errors: components["schemas"]["FieldError"][];
            /** @description The id of the wheel that the campaign gets. */
            wheel: string;
        };
        /** @description Since the beginning. Only if they were asked for. */
        CampaignFigures: {
            plays: number;
            /** @description Plays that came to rest on a prize. */
            wins: number;
            /** @description Plays that got the fallback, because the drawn prize could not be given. */
            fallbacks: number;
            /** @description The cost of the prizes, as far as the wheel states it. */
            cost: number;
            claimed: number;
            /** @description Including redemptions that were taken back later. */
            redeemed: number;
            cancelled: number;
            expired: number;
            /** @description Redemptions that were taken back. */
            reversed: number;
            /** @description Prizes that were held to be checked, whatever was decided later. */
            held: number;
            /** @description Held prizes that were refused. */
            refused: number;
            /** @description The figures cover everything up to this time. */
            countedUntil: string | null;
            /** @description The limited prizes of the wheel. Campaigns that use the same wheel share its stock. */
            stock: {
                prizeId: string;
                label: string;
                /** @description Units that can still be won: of its stock, or codes of its pool. Of a paced prize, what was not given before today, until its run is over. */
                left: number;
                total: number;
            }[];
        };
        Campaign: {
            campaign: string;
            name: string;
            wheel: string;
            /** @description Spins can be used from then on; null for no limit. Narrows the wheel's own schedule. */
            opensAt: string | null;
            /** @description Until then; null for no limit. */
            closesAt: string | null;
            /**
             * @description Campaigns with a greater priority come first.
             * @example 10
             */
            priority: number;
            /**
             * @description What players read about the campaign, by language (BCP 47).
             * @example {
             *       "de": {
             *         "name": "Sommerrad",
             *         "description": "Jeden Tag ein Preis"
             *       }
             *     }
             */
            texts: {
                [key: string]: components["schemas"]["CampaignText"];
            };
            /** @description Its spins expire this many days after they were granted or won; null for the merchant's setting. Counts for spins that come later. Always null for `main`. */
            spinLifetimeDays: number | null;
            freeSpins: components["schemas"]["FreeSpinRule"] | null;
            wheelName: string;
            /** @description The published version; null for a draft. */
            wheelVersion: number | null;
            /** @description The time zone of the wheel, in which the dates are meant. */
            timeZone: string;
            /** @description The id of the campaign that its purse was made for: its own id, or that of the campaign whose spins it shares. */
            purse: string;
            /**
             * @description `draft`: the wheel is not published. `closed`: outside the hours of the wheel. `ended`: after `closesAt`.
             * @enum {string}
             */
            state: "draft" | "scheduled" | "open" | "closed" | "paused" | "ended" | "archived";
            /** @description When it opens next, by its dates and the wheel's schedule; null if it is open or over. */
            nextOpensAt: string | null;
            /** @description When it closes for good, by its dates and the wheel's; null for never. */
            endsAt: string | null;
            pausedAt: string | null;
            archivedAt: string | null;
            /** @description Another wheel that it gets later, or that it could not get. */
            scheduledWheel: components["schemas"]["ScheduledWheel"] | null;
            /** Format: date-time */
            createdAt: string;
            /** @description Also the ETag. Send it as If-Match with a change. */
            revision: number;
            figures?: components["schemas"]["CampaignFigures"];
        };
        CampaignPage: {
            campaigns: components["schemas"]["Campaign"][];
            next: string | null;
        };
        FreeSpinRuleInput: {
            /**
             * @description `day`, `week`, or a duration such as `PT4H`, from 15 minutes to 7 days. Days and weeks follow the calendar; durations count from 1970-01-01T00:00Z.
             * @example day
             */
            every: string;
            /** @description Spins in each period; 1 by default. */
            amount?: number;
            /** @description When days and weeks begin, by the clock of the time zone; `00:00` by default. */
            at?: string;
            /** @description The first day of weeks; 1 is Monday, the default. */
            weekday?: number;
            /**
             * @description Whose days count: in the wheel's time zone (the default), or in the player's. The player's is that of the game link, or else of the browser.
             * @enum {unknown}
             */
            zone?: "wheel" | "player";
            /** @description For how many periods free spins are kept; 1 by default. A player who comes back later gets those of at most this number of periods. */
            bank?: number;
            /**
             * @description What collects them: opening the game (the default), or only playing.
             * @enum {unknown}
             */
            on?: "visit" | "play";
            /**
             * @description Extra spins for collecting in `length` periods in a row, with rising lengths.
             * @example [
             *       {
             *         "length": 7,
             *         "spins": 3
             *       }
             *     ]
             */
            streaks?: {
                /** @description Periods in a row. */
                length: number;
                /** @description Extra spins. */
                spins: number;
            }[];
            /** @description There are none from then on; null for no end. */
            endsAt?: string | null;
        };
        CreateCampaignBody: {
            /**
             * @description The permanent id of a campaign.
             * @example summer
             */
            campaign: string;
            /** @example Summer sale */
            name: string;
            /**
             * @description The id of its wheel.
             * @example summer
             */
            wheel: string;
            /**
             * @description The campaign whose spins it shares, such as `main`. It can never be changed.
             * @example summer
             */
            purse?: string;
            /** @description Spins can be used from then on; null for no limit. Narrows the wheel's own schedule. */
            opensAt?: string | null;
            /** @description Until then; null for no limit. */
            closesAt?: string | null;
            /**
             * @description Campaigns with a greater priority come first.
             * @example 10
             */
            priority?: number;
            /**
             * @description What players read about the campaign, by language (BCP 47).
             * @example {
             *       "de": {
             *         "name": "Sommerrad",
             *         "description": "Jeden Tag ein Preis"
             *       }
             *     }
             */
            texts?: {
                [key: string]: components["schemas"]["CampaignText"];
            };
            /** @description Its spins expire this many days after they were granted or won; null for the merchant's setting. Counts for spins that come later. Always null for `main`. */
            spinLifetimeDays?: number | null;
            /** @description The rule for free spins that come back; null for none. */
            freeSpins?: components["schemas"]["FreeSpinRuleInput"] | null;
        };
        ChangeCampaignBody: {
            /** @example Summer sale */
            name?: string;
            /**
             * @description The id of its wheel.
             * @example summer
             */
            wheel?: string;
            /** @description Spins can be used from then on; null for no limit. Narrows the wheel's own schedule. */
            opensAt?: string | null;
            /** @description Until then; null for no limit. */
            closesAt?: string | null;
            /**
             * @description Campaigns with a greater priority come first.
             * @example 10
             */
            priority?: number;
            /**
             * @description What players read about the campaign, by language (BCP 47).
             * @example {
             *       "de": {
             *         "name": "Sommerrad",
             *         "description": "Jeden Tag ein Preis"
             *       }
             *     }
             */
            texts?: {
                [key: string]: components["schemas"]["CampaignText"];
            };
            /** @description Its spins expire this many days after they were granted or won; null for the merchant's setting. Counts for spins that come later. Always null for `main`. */
            spinLifetimeDays?: number | null;
            /** @description The rule for free spins that come back; null for none. */
            freeSpins?: components["schemas"]["FreeSpinRuleInput"] | null;
            /** @description A paused campaign cannot be played. */
            isPaused?: boolean;
            /**
             * @description Why the closing time changes after visitors have entered.
             * @example wrong prize shown on Monday
             */
            reason?: string;
        };
        DuplicateCampaignBody: {
            /**
             * @description The permanent id of a campaign.
             * @example summer
             */
            campaign: string;
            /** @example Summer sale */
            name?: string;
            /** @description True to use the same wheel, with the same stock. */
            sharesWheel?: boolean;
        };
        /** @description So far. */
        EntryCounts: {
            entered: number;
            verified: number;
        };
        EntryWarning: {
            code: string;
            detail: string;
        };
        EntrySettings: {
            /**
             * @description Whether visitors can enter. Needs complete terms.
             * @example false
             */
            isOpen: boolean;
            /** @description What a visitor gets. */
            spins: number;
            /**
             * @description At most so many entries; null for no limit.
             * @example null
             */
            entriesMax: number | null;
            /**
             * @description `code`: an address counts once a code sent to it was typed. Needs a mail server.
             * @example none
             * @enum {string}
             */
            verify: "code" | "none";
            /**
             * @description When the browser must solve a task that costs it some seconds.
             * @enum {string}
             */
            challenge: "suspicious" | "always" | "never";
            /** @description Whether throw-away addresses are refused. */
            refusesDisposable: boolean;
            /** @description Answers are deleted so many days after the end of the campaign. */
            answersDays: number;
            /** @description The proof of a consent is kept so many years after its withdrawal. */
            consentYears: number;
            /**
             * @description In the order of the form.
             * @example [
             *       {
             *         "id": "email",
             *         "kind": "email",
             *         "labels": {
             *           "en": "Your e-mail"
             *         },
             *         "isRequired": true,
             *         "when": "entry"
             *       }
             *     ]
             */
            fields: {
                /** @example email */
                id: string;
                /** @enum {string} */
                kind: "email" | "name" | "phone" | "birth" | "choice" | "text" | "consent";
                /** @description By language (BCP 47). */
                labels: {
                    [key: string]: string;
                };
                /** @description Never of a consent to marketing. */
                isRequired: boolean;
                /**
                 * @description The address is always asked at the entry.
                 * @enum {string}
                 */
                when: "entry" | "afterWin" | "toClaim";
                /** @description Of a choice. */
                options?: {
                    /** @example email */
                    id: string;
                    /** @description By language (BCP 47). */
                    labels: {
                        [key: string]: string;
                    };
                }[];
                /**
                 * @description Of a consent.
                 * @enum {string}
                 */
                purpose?: "marketing" | "other";
                /** @description Of `birth`: younger visitors are refused. */
                minimumAge?: number;
            }[];
            terms: {
                /** @description Who organises the promotion. */
                organiser: string;
                /** @description Where the organiser gets post. */
                postalAddress: string;
                /** @description Who may take part. */
                whoMayEnter: string;
                /** @description How often one person may take part. */
                limitPerPerson: string;
                /** @description How prizes are claimed, and until when. */
                howToClaim: string;
                /** @description Where the privacy notes are. */
                privacyAddress: string;
                /** @description The whole terms by language. */
                texts: {
                    [key: string]: string;
                };
                address: string | null;
            };
            campaign: string;
            /** @description Of form and terms. Entries name the version that they saw. */
            version: number;
            termsHash: string;
            /** @description When the campaign closes, by this version. */
            closesAt: string | null;
            /** @description Where visitors enter. */
            address: string;
            entries: components["schemas"]["EntryCounts"];
            warnings: components["schemas"]["EntryWarning"][];
            /** @description Also the ETag. Send it as If-Match with a change. */
            revision: number;
            /** Format: date-time */
            changedAt: string;
        };
        ChangeEntrySettingsBody: {
            /**
             * @description Whether visitors can enter. Needs complete terms.
             * @example false
             */
            isOpen: boolean;
            /** @description What a visitor gets. */
            spins: number;
            /**
             * @description At most so many entries; null for no limit.
             * @example null
             */
            entriesMax: number | null;
            /**
             * @description `code`: an address counts once a code sent to it was typed. Needs a mail server.
             * @example none
             * @enum {unknown}
             */
            verify: "code" | "none";
            /**
             * @description When the browser must solve a task that costs it some seconds.
             * @enum {unknown}
             */
            challenge: "suspicious" | "always" | "never";
            /** @description Whether throw-away addresses are refused. */
            refusesDisposable: boolean;
            /** @description Answers are deleted so many days after the end of the campaign. */
            answersDays: number;
            /** @description The proof of a consent is kept so many years after its withdrawal. */
            consentYears: number;
            /**
             * @description In the order of the form.
             * @example [
             *       {
             *         "id": "email",
             *         "kind": "email",
             *         "labels": {
             *           "en": "Your e-mail"
             *         },
             *         "isRequired": true,
             *         "when": "entry"
             *       }
             *     ]
             */
            fields: {
                /** @example email */
                id: string;
                /** @enum {unknown} */
                kind: "email" | "name" | "phone" | "birth" | "choice" | "text" | "consent";
                /** @description By language (BCP 47). */
                labels: {
                    [key: string]: string;
                };
                /** @description Never of a consent to marketing. */
                isRequired: boolean;
                /**
                 * @description The address is always asked at the entry.
                 * @enum {unknown}
                 */
                when: "entry" | "afterWin" | "toClaim";
                /** @description Of a choice. */
                options?: {
                    /** @example email */
                    id: string;
                    /** @description By language (BCP 47). */
                    labels: {
                        [key: string]: string;
                    };
                }[];
                /**
                 * @description Of a consent.
                 * @enum {unknown}
                 */
                purpose?: "marketing" | "other";
                /** @description Of `birth`: younger visitors are refused. */
                minimumAge?: number;
            }[];
            terms: {
                /** @description Who organises the promotion. */
                organiser?: string;
                /** @description Where the organiser gets post. */
                postalAddress?: string;
                /** @description Who may take part. */
                whoMayEnter?: string;
                /** @description How often one person may take part. */
                limitPerPerson?: string;
                /** @description How prizes are claimed, and until when. */
                howToClaim?: string;
                /** @description Where the privacy notes are. */
                privacyAddress?: string;
                /** @description The whole terms by language. */
                texts?: {
                    [key: string]: string;
                };
                address?: string | null;
            };
            /** @description Why terms change after the first entry. */
            reason?: string;
        };
        RemoveEntrySettingsAnswer: Record<string, never>;
        EntryVersion: {
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** @description Who made it. */
            by: string;
            reason: string | null;
            /** @description When the campaign closes, by this version. */
            closesAt: string | null;
            /**
             * @description In the order of the form.
             * @example [
             *       {
             *         "id": "email",
             *         "kind": "email",
             *         "labels": {
             *           "en": "Your e-mail"
             *         },
             *         "isRequired": true,
             *         "when": "entry"
             *       }
             *     ]
             */
            fields: {
                /** @example email */
                id: string;
                /** @enum {string} */
                kind: "email" | "name" | "phone" | "birth" | "choice" | "text" | "consent";
                /** @description By language (BCP 47). */
                labels: {
                    [key: string]: string;
                };
                /** @description Never of a consent to marketing. */
                isRequired: boolean;
                /**
                 * @description The address is always asked at the entry.
                 * @enum {string}
                 */
                when: "entry" | "afterWin" | "toClaim";
                /** @description Of a choice. */
                options?: {
                    /** @example email */
                    id: string;
                    /** @description By language (BCP 47). */
                    labels: {
                        [key: string]: string;
                    };
                }[];
                /**
                 * @description Of a consent.
                 * @enum {string}
                 */
                purpose?: "marketing" | "other";
                /** @description Of `birth`: younger visitors are refused. */
                minimumAge?: number;
            }[];
            terms: {
                /** @description Who organises the promotion. */
                organiser: string;
                /** @description Where the organiser gets post. */
                postalAddress: string;
                /** @description Who may take part. */
                whoMayEnter: string;
                /** @description How often one person may take part. */
                limitPerPerson: string;
                /** @description How prizes are claimed, and until when. */
                howToClaim: string;
                /** @description Where the privacy notes are. */
                privacyAddress: string;
                /** @description The whole terms by language. */
                texts: {
                    [key: string]: string;
                };
                address: string | null;
            };
            termsHash: string;
        };
        EntryVersionPage: {
            versions: components["schemas"]["EntryVersion"][];
            next: string | null;
        };
        EntryConsent: {
            field: string;
            /** @enum {string} */
            purpose: "marketing" | "other";
            /** Format: date-time */
            givenAt: string;
            /** @description When a code proved the address. Send marketing mail only then. */
            confirmedAt: string | null;
            withdrawnAt: string | null;
        };
        VisitorEntry: {
            id: string;
            campaign: string;
            playerId: string;
            /** Format: date-time */
            enteredAt: string;
            /** @description When a code proved the address; null if none did. */
            verifiedAt: string | null;
            language: string;
            formVersion: number;
            address: string | null;
            answers: {
                [key: string]: unknown;
            } | null;
            consents: components["schemas"]["EntryConsent"][];
        };
        VisitorEntryPage: {
            entries: components["schemas"]["VisitorEntry"][];
            next: string | null;
        };
        EntryCodes: {
            codes: {
                /** @description As typed. */
                address: string;
                code: string;
                /** Format: date-time */
                expiresAt: string;
                attemptsLeft: number;
            }[];
        };
        EntryFiguresSum: {
            /** @description How often the page was opened while visitors could enter. */
            opened: number;
            /** @description How often the form was sent, also with errors. */
            submitted: number;
            /** @description Who entered on the day. */
            entered: number;
            /** @description Of those, who proved the address by now. */
            verified: number;
            /** @description Of those, who has played in the campaign by now. */
            played: number;
            /** @description Of those, who has won in the campaign by now. */
            won: number;
            /** @description Of those, who has claimed a prize of the campaign by now. */
            claimed: number;
            /** @description How often visitors were refused, by the code of the refusal. */
            refusals: {
                [key: string]: number;
            };
        };
        EntryFiguresOfDay: {
            day: string;
            /** @description How often the page was opened while visitors could enter. */
            opened: number;
            /** @description How often the form was sent, also with errors. */
            submitted: number;
            /** @description Who entered on the day. */
            entered: number;
            /** @description Of those, who proved the address by now. */
            verified: number;
            /** @description Of those, who has played in the campaign by now. */
            played: number;
            /** @description Of those, who has won in the campaign by now. */
            won: number;
            /** @description Of those, who has claimed a prize of the campaign by now. */
            claimed: number;
            /** @description How often visitors were refused, by the code of the refusal. */
            refusals: {
                [key: string]: number;
            };
        };
        EntryFigures: {
            campaign: string;
            from: string;
            to: string;
            total: components["schemas"]["EntryFiguresSum"];
            days: components["schemas"]["EntryFiguresOfDay"][];
        };
        PreviewFreeSpinsBody: {
            freeSpins: components["schemas"]["FreeSpinRuleInput"];
            /**
             * @description The player's time zone; by default the wheel's.
             * @example Europe/Berlin
             */
            timeZone?: string;
            /** @description 14 by default. */
            days?: number;
        };
        PreviewedDay: {
            /** Format: date */
            date: string;
            /** Format: date-time */
            startsAt: string;
            /**
             * Format: date-time
             * @description The day has 23 or 25 hours where clocks are changed.
             */
            endsAt: string;
            /** @description Whether the campaign is open on it, at least for a while. */
            isOpen: boolean;
        };
        PreviewedFreeSpins: {
            /** Format: date-time */
            at: string;
            /** @description With the extra ones for the streak. */
            spins: number;
            /** Format: date-time */
            expiresAt: string;
            streak: number;
        };
        FreeSpinPreview: {
            /** @description The time zone whose days and weeks count. */
            timeZone: string;
            /** @description The days of the player, beginning with today. */
            days: components["schemas"]["PreviewedDay"][];
            spins: components["schemas"]["PreviewedFreeSpins"][];
        };
        StreakCount: {
            streak: number;
            players: number;
        };
        Streaks: {
            /** @description The shortest first. */
            streaks: components["schemas"]["StreakCount"][];
        };
        ScheduleCampaignWheelBody: {
            /**
             * @description The id of its wheel.
             * @example summer
             */
            wheel: string;
            /**
             * Format: date-time
             * @description A time in the next 366 days, written with its zone.
             * @example 2026-11-20T18:00:00+01:00
             */
            at: string;
        };
        ScheduledPublication: {
            /** Format: date-time */
            at: string;
            /**
             * @description Who scheduled it.
             * @example staff:anna@example.com
             */
            by: string;
            /** Format: date-time */
            scheduledAt: string;
            /** @description When it failed. Nothing was changed then, and it is not tried again. */
            failedAt: string | null;
            /** @description Why it failed. */
            errors: components["schemas"]["FieldError"][];
            /** @description The time zone of the wheel. */
            timeZone: string;
            /** @description The revision of the draft that is published. Later edits are not in it. */
            draftRevision: number;
        };
        WheelSummary: {
            wheel: string;
            name: string;
            /** @description Also the ETag. Send it as If-Match with a change. */
            draftRevision: number;
            publishedVersion: number | null;
            pausedAt: string | null;
            /**
             * @description Of the published version: `scheduled` opens at `opensAt`, `closed` does not open again. `draft`: never published.
             * @enum {string}
             */
            state: "draft" | "paused" | "scheduled" | "open" | "closed";
            /** @description When a scheduled wheel opens next. */
            opensAt: string | null;
            /** @description Of the published version, or else of the draft. */
            timeZone: string;
            /** @description Whether game links open this wheel: those of `main`, or of another campaign. */
            isOpenedByLinks: boolean;
            /**
             * @description The languages in which translations of the draft are outdated.
             * @example [
             *       "de"
             *     ]
             */
            outdatedTranslations: string[];
            /** @description The publication that is scheduled, or that failed. */
            scheduledPublication: components["schemas"]["ScheduledPublication"] | null;
        };
        WheelSummaryPage: {
            wheels: components["schemas"]["WheelSummary"][];
            next: string | null;
        };
        Wheel: {
            wheel: string;
            name: string;
            /** @description Also the ETag. Send it as If-Match with a change. */
            draftRevision: number;
            publishedVersion: number | null;
            pausedAt: string | null;
            /**
             * @description Of the published version: `scheduled` opens at `opensAt`, `closed` does not open again. `draft`: never published.
             * @enum {string}
             */
            state: "draft" | "paused" | "scheduled" | "open" | "closed";
            /** @description When a scheduled wheel opens next. */
            opensAt: string | null;
            /** @description Of the published version, or else of the draft. */
            timeZone: string;
            /** @description Whether game links open this wheel: those of `main`, or of another campaign. */
            isOpenedByLinks: boolean;
            /**
             * @description The languages in which translations of the draft are outdated.
             * @example [
             *       "de"
             *     ]
             */
            outdatedTranslations: string[];
            /** @description The publication that is scheduled, or that failed. */
            scheduledPublication: components["schemas"]["ScheduledPublication"] | null;
            /**
             * @description Who saved the draft last; null if nobody has since the last publication.
             * @example staff:anna@example.com
             */
            draftSavedBy: string | null;
            /** @description When the draft was saved last. */
            draftSavedAt: string | null;
            draft: components["schemas"]["WheelDocument"];
        };
        PublishWheelAnswer: {
            version: number;
            /** @description SHA-256, in lower-case hexadecimal, of the published text of the version: of exactly the bytes that `GET /api/v1/game/versions/{hash}` answers with. They are the UTF-8 bytes of `wheel.published` of a session. It is not the hash of `document`. */
            hash: string;
        };
        WheelVersionSummary: {
            version: number;
            /** @description SHA-256, in lower-case hexadecimal, of the published text of the version: of exactly the bytes that `GET /api/v1/game/versions/{hash}` answers with. They are the UTF-8 bytes of `wheel.published` of a session. It is not the hash of `document`. */
            hash: string;
            /** Format: date-time */
            publishedAt: string;
        };
        PrizeStock: {
            prize: string;
            stock: number | null;
            given: number;
        };
        ListWheelVersionsAnswer: {
            versions: components["schemas"]["WheelVersionSummary"][];
            stocks: components["schemas"]["PrizeStock"][];
        };
        ScheduledPublicationWithDocument: {
            /** Format: date-time */
            at: string;
            /**
             * @description Who scheduled it.
             * @example staff:anna@example.com
             */
            by: string;
            /** Format: date-time */
            scheduledAt: string;
            /** @description When it failed. Nothing was changed then, and it is not tried again. */
            failedAt: string | null;
            /** @description Why it failed. */
            errors: components["schemas"]["FieldError"][];
            /** @description The time zone of the wheel. */
            timeZone: string;
            /** @description The revision of the draft that is published. Later edits are not in it. */
            draftRevision: number;
            wheel: string;
            document: components["schemas"]["WheelDocument"];
        };
        SchedulePublicationBody: {
            /**
             * Format: date-time
             * @description A time in the next 366 days, written with its zone.
             * @example 2026-11-20T18:00:00+01:00
             */
            at: string;
        };
        SimulateWheelBody: {
            /**
             * @description The document: by default the draft. With `published`, `errors` is empty.
             * @enum {unknown}
             */
            of?: "draft" | "published" | "scheduled";
            /**
             * Format: date-time
             * @description Simulate from this time on; by default from now on.
             * @example 2026-11-20T18:00:00+01:00
             */
            at?: string;
            /** @example 1000 */
            playsPerDay: number;
            /** @description How many days to simulate, from now or from the opening on. At most 1,000,000 plays in all. */
            days?: number;
            /** @description How often each player plays, for limits per player; 1 by default. */
            spinsPerPlayer?: number;
        };
        SimulatedPrize: {
            id: string;
            label: string;
            /** @description From 0 to 1. */
            chance: number;
            winsPerDay: number;
            costPerDay: number;
            stockLastsDays: number | null;
        };
        Simulation: {
            playsPerDay: number;
            costPerPlay: number;
            costPerDay: number;
            prizes: components["schemas"]["SimulatedPrize"][];
        };
        /** @description The mean of all runs. Nine of ten runs are between `low` and `high`. */
        ForecastRange: {
            expected: number;
            low: number;
            high: number;
        };
        PrizeStockForecast: {
            /** @description What is left at the start; of a paced prize, before today, until its run is over. */
            atStart: number;
            /** @description What is left at the end. */
            left: {
                expected: number;
                low: number;
                high: number;
            };
            /** @description What is left in the evening of each day. */
            byDay: components["schemas"]["ForecastRange"][];
            runsOut: {
                /** @description The share of runs in which it runs out, from 0 to 1. */
                share: number;
                expected: string | null;
                earliest: string | null;
                latest: string | null;
            };
        };
        PrizeForecast: {
            id: string;
            label: string;
            /** @description How often the wheel stops there, fallbacks included. All prizes together are all plays. */
            given: {
                expected: number;
                low: number;
                high: number;
            };
            /** @description How often it is drawn and can not be given. */
            fallbacks: number;
            /** @description Why it can not be given, the most frequent reason first. */
            reasons: {
                /** @enum {string} */
                reason: "out_of_stock" | "out_of_stock_today" | "player_limit" | "not_winnable_now" | "not_released" | "budget";
                count: number;
            }[];
            cost: components["schemas"]["ForecastRange"];
            stock: components["schemas"]["PrizeStockForecast"] | null;
        };
        Forecast: {
            /** @description How often the days were simulated. */
            runs: number;
            /** @description The plays of one run. */
            plays: number;
            cost: components["schemas"]["ForecastRange"];
            days: {
                /** Format: date */
                day: string;
                plays: number;
                cost: number;
            }[];
            prizes: components["schemas"]["PrizeForecast"][];
        };
        SimulateWheelAnswer: {
            errors: components["schemas"]["FieldError"][];
            simulation: components["schemas"]["Simulation"];
            /** @description Whether the draft would be open now, when it opens next, and when it closes for good. */
            opening: {
                isOpen: boolean;
                opensAt: string | null;
                closesAt: string | null;
            };
            /** @description The paced prizes whose runs the publication of this draft would end before their time; `*` is the budget. */
            endedRuns: string[];
            forecast: components["schemas"]["Forecast"] | null;
        };
        PacePoint: {
            /** Format: date-time */
            at: string;
            released: number | null;
            given: number;
        };
        PaceReport: {
            /** @description The id of the prize; `*` for the budget, whose amounts are in cents. */
            prizeId: string;
            run: number;
            /** @description The version of the wheel that began the run. */
            version: number;
            commitment: string;
            /** @description How many are released in all. */
            units: number;
            /** Format: date-time */
            startsAt: string;
            /** Format: date-time */
            endsAt: string;
            endedAt: string | null;
            released: number | null;
            countedUntil: string | null;
            /** @description How many were given, those that came back included. */
            awards: number;
            /** @description How many came back. */
            returned: number;
            /** @description How many were not given. */
            left: number;
            spanEndsAt: string | null;
            /** @description While the run lasts: what was given by the beginnings of past days. Afterwards: what was released and given, at equal steps of its time. */
            points: components["schemas"]["PacePoint"][];
        };
        PaceReports: {
            paces: components["schemas"]["PaceReport"][];
        };
        RunCheck: {
            says: string;
            holds: boolean;
        };
        /** @description The newest seal of the merchant’s ledger. It covers all before it. */
        StatedSeal: {
            number: number;
            /** Format: date-time */
            sealedAt: string;
            hash: string;
        };
        PaceCertificate: {
            merchant: string;
            merchantName: string;
            wheel: string;
            prizeId: string;
            label: string | null;
            /** @description Whether the numbers are cents of the budget. */
            isBudget: boolean;
            run: number;
            /** @enum {string} */
            state: "running" | "ended";
            /** Format: date-time */
            publishedAt: string;
            versionHash: string;
            /** Format: date-time */
            startsAt: string;
            /** Format: date-time */
            endsAt: string;
            endedAt: string | null;
            commitment: string;
            key: string | null;
            head: string | null;
            units: number;
            released: number | null;
            countedUntil: string | null;
            awards: number;
            returned: number;
            left: number;
            /** @description The checks of the run, after its end. */
            checks: components["schemas"]["RunCheck"][];
            /** Format: date-time */
            statedAt: string;
            seal: components["schemas"]["StatedSeal"] | null;
            /** @description The statement in words. */
            sentences: string[];
            /** @description Commands that verify the statement. */
            commands: string[];
        };
        WheelVersion: {
            wheel: string;
            version: number;
            /** @description SHA-256, in lower-case hexadecimal, of the published text of the version: of exactly the bytes that `GET /api/v1/game/versions/{hash}` answers with. They are the UTF-8 bytes of `wheel.published` of a session. It is not the hash of `document`. */
            hash: string;
            /** Format: date-time */
            publishedAt: string;
            document: components["schemas"]["WheelDocument"];
        };
        WheelChange: {
            /** @example /segments/coffee/weight */
            path: string;
            /** @description Missing if the field is new. */
            before?: unknown;
            /** @description Missing if the field was removed. */
            after?: unknown;
        };
        CompareWheelVersionsAnswer: {
            changes: components["schemas"]["WheelChange"][];
        };
        CodePool: {
            pool: string;
            uploaded: number;
            taken: number;
            left: number;
            /** Format: date-time */
            createdAt: string;
        };
        CodePoolPage: {
            pools: components["schemas"]["CodePool"][];
            next: string | null;
        };
        UploadCodesBody: {
            codes: string[];
        };
        UploadCodesAnswer: {
            added: number;
        };
        StreamCodesAnswer: {
            read: number;
            added: number;
        };
        Purse: {
            /** @description The campaign that the purse was made for. Others may share it. */
            campaign: string;
            spinCount: number;
        };
        SpinLot: {
            /** @description The number of the ledger entry that granted the spins. */
            lot: number;
            /** @description The campaign whose purse the spins are in. */
            campaign: string;
            /** @description How many of them are left. */
            spins: number;
            /** Format: date-time */
            expiresAt: string;
            /**
             * @description Where they came from; `carried`: a balance from before spins expired one grant at a time.
             * @enum {string}
             */
            source: "free" | "won" | "granted" | "carried";
        };
        StreakMilestone: {
            /** @description Periods in a row. */
            length: number;
            /** @description Extra spins. */
            spins: number;
        };
        Streak: {
            /** @description Periods in a row in which the player has collected. */
            length: number;
            /** @description The longest streak so far. */
            best: number;
            /** @description Extra spins for lengths. */
            milestones: components["schemas"]["StreakMilestone"][];
        };
        CampaignFreeSpins: {
            campaign: string;
            /** @description The period of the rule: `day`, `week` or a duration. */
            every: string;
            /** @description Free spins that can be collected now. They are not in `spinCount`. */
            available: number;
            /** @description When the first of them are gone. */
            until: string | null;
            /** @description When the next ones come; null for never. */
            next: string | null;
            /** @description How many come then, with the extra ones for the streak. */
            nextSpins: number;
            streak: components["schemas"]["Streak"];
        };
        Player: {
            playerId: string;
            /** @description The spins that the player can use now. */
            spinCount: number;
            playCount: number;
            /** Format: date-time */
            createdAt: string;
            blockedAt: string | null;
            /** @description When the id was replaced by a pseudonym. */
            erasedAt: string | null;
            /** @description Spins of other campaigns than `main`, for each that has its own. Only where players are read. */
            purses?: components["schemas"]["Purse"][];
            /** @description Spins that expire, in the order in which they are used. All other spins never expire, and are used after them. Only where one player is read. */
            lots?: components["schemas"]["SpinLot"][];
            /** @description Free spins that come back, for each campaign that has them. They are not in `spinCount` before they are collected. Only where one player is read. */
            free?: components["schemas"]["CampaignFreeSpins"][];
        };
        PlayerPage: {
            players: components["schemas"]["Player"][];
            next: string | null;
        };
        CorrectBalanceBody: {
            /**
             * @description Spins to add; below zero: to remove.
             * @example 2
             */
            amount: number;
            /**
             * @description The reason, for the record. It is kept for ever, so leave out personal data.
             * @example wrong prize shown on Monday
             */
            reason: string;
            /**
             * @description The campaign whose spins are corrected; `main` by default. It may be over.
             * @example summer
             */
            campaign?: string;
        };
        CorrectBalanceAnswer: {
            playerId: string;
            spinCount: number;
        };
        LotDraw: {
            lot: number;
            spins: number;
        };
        LedgerEntry: {
            /** @description Counts the player's entries from 1 without a gap. */
            entry: number;
            /** @enum {string} */
            kind: "grant" | "initial" | "play" | "prize" | "free" | "entry" | "correction" | "expiry";
            amount: number;
            balanceAfter: number;
            key: string;
            reason: string | null;
            /**
             * @description Who made it by hand. Null for entries of your systems, of players and of background jobs.
             * @example staff:anna@example.com
             */
            origin: string | null;
            /** Format: date-time */
            at: string;
            /** @description When granted spins expire; null for never, and for entries that take spins. */
            expiresAt: string | null;
            /** @description The lots that spins were taken from. The rest of them never expire. */
            lots: components["schemas"]["LotDraw"][];
            /** @description The campaign of the spins. */
            campaign: string;
            /** @description The campaign whose purse it is. `balanceAfter` is the balance of this purse. */
            purse: string;
        };
        LedgerEntryPage: {
            entries: components["schemas"]["LedgerEntry"][];
            next: string | null;
        };
        ErasePersonalDataAnswer: {
            pseudonym: string;
        };
        WithdrawConsentsBody: {
            /**
             * @description Only those of this campaign.
             * @example summer
             */
            campaign?: string;
            /**
             * @description Only that of this field.
             * @example news
             */
            field?: string;
        };
        VisitorConsent: {
            campaign: string;
            field: string;
            /** @enum {string} */
            purpose: "marketing" | "other";
            /** Format: date-time */
            givenAt: string;
            /** @description When a code proved the address. Send marketing mail only then. */
            confirmedAt: string | null;
            withdrawnAt: string | null;
        };
        VisitorConsents: {
            consents: components["schemas"]["VisitorConsent"][];
        };
        Contact: {
            email: string;
            language: string | null;
            agreedToMarketingAt: string | null;
            /** Format: date-time */
            setAt: string;
        };
        ContactBody: {
            /** @example alice@example.com */
            email: string;
            /** @example de */
            language?: string;
            /**
             * Format: date-time
             * @description When the person agreed to marketing by mail. It counts until the person unsubscribes; then only a later time counts.
             * @example 2026-11-01T12:00:00Z
             */
            agreedToMarketingAt?: string;
        };
        RemoveContactAnswer: Record<string, never>;
        MessageSettingsAnswer: {
            replyTo: string | null;
            kinds: {
                won: {
                    /** @description Whether a player gets a message about a prize that it has won. */
                    isOn: boolean;
                    /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                    texts: {
                        [key: string]: {
                            /** @description One line. */
                            subject: string;
                            /** @description The text above the prize. */
                            lead: string;
                        };
                    };
                };
                claim_ends: {
                    /** @description Whether a player is reminded before the last day of a prize. */
                    isOn: boolean;
                    /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                    texts: {
                        [key: string]: {
                            /** @description One line. */
                            subject: string;
                            /** @description The text above the prize. */
                            lead: string;
                        };
                    };
                };
                spins_waiting: {
                    /** @description Whether a player who has not played for a day is told about its spins. Only players who have agreed to marketing get it, and not at night. */
                    isOn: boolean;
                    /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                    texts: {
                        [key: string]: {
                            /** @description One line. */
                            subject: string;
                            /** @description The text above the prize. */
                            lead: string;
                        };
                    };
                };
                spins_expire: {
                    /** @description Whether a player is told before spins expire. Only players who have agreed to marketing get it, and not at night. */
                    isOn: boolean;
                    /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                    texts: {
                        [key: string]: {
                            /** @description One line. */
                            subject: string;
                            /** @description The text above the prize. */
                            lead: string;
                        };
                    };
                };
            };
            revision: number;
        };
        MessageSettings: {
            replyTo: string | null;
            /** @description One that is missing is switched off. */
            kinds: {
                won?: {
                    /** @description Whether a player gets a message about a prize that it has won. */
                    isOn: boolean;
                    /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                    texts: {
                        [key: string]: {
                            /** @description One line. */
                            subject: string;
                            /** @description The text above the prize. */
                            lead: string;
                        };
                    };
                };
                claim_ends?: {
                    /** @description Whether a player is reminded before the last day of a prize. */
                    isOn: boolean;
                    /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                    texts: {
                        [key: string]: {
                            /** @description One line. */
                            subject: string;
                            /** @description The text above the prize. */
                            lead: string;
                        };
                    };
                };
                spins_waiting?: {
                    /** @description Whether a player who has not played for a day is told about its spins. Only players who have agreed to marketing get it, and not at night. */
                    isOn: boolean;
                    /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                    texts: {
                        [key: string]: {
                            /** @description One line. */
                            subject: string;
                            /** @description The text above the prize. */
                            lead: string;
                        };
                    };
                };
                spins_expire?: {
                    /** @description Whether a player is told before spins expire. Only players who have agreed to marketing get it, and not at night. */
                    isOn: boolean;
                    /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                    texts: {
                        [key: string]: {
                            /** @description One line. */
                            subject: string;
                            /** @description The text above the prize. */
                            lead: string;
                        };
                    };
                };
            };
        };
        MessageStop: {
            stoppedAt: string | null;
        };
        Message: {
            id: string;
            playerId: string | null;
            /**
             * @description The permanent id of a campaign.
             * @example summer
             */
            campaign: string;
            /** @enum {string} */
            kind: "won" | "claim_ends" | "spins_waiting" | "spins_expire";
            /**
             * @description `unknown`: the SMTP server has not answered, and nobody knows whether it arrived.
             * @enum {string}
             */
            state: "planned" | "sending" | "sent" | "refused" | "unknown" | "dropped";
            /** Format: date-time */
            plannedAt: string;
            dueAt: string | null;
            settledAt: string | null;
            tries: number;
            reason: string | null;
            reply: string | null;
        };
        MessagePage: {
            messages: components["schemas"]["Message"][];
            next: string | null;
        };
        MessageTextsAnswer: {
            kinds: {
                /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                won: {
                    [key: string]: {
                        /** @description One line. */
                        subject: string;
                        /** @description The text above the prize. */
                        lead: string;
                    };
                };
                /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                claim_ends: {
                    [key: string]: {
                        /** @description One line. */
                        subject: string;
                        /** @description The text above the prize. */
                        lead: string;
                    };
                };
                /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                spins_waiting: {
                    [key: string]: {
                        /** @description One line. */
                        subject: string;
                        /** @description The text above the prize. */
                        lead: string;
                    };
                };
                /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                spins_expire: {
                    [key: string]: {
                        /** @description One line. */
                        subject: string;
                        /** @description The text above the prize. */
                        lead: string;
                    };
                };
            };
            revision: number;
        };
        MessageTexts: {
            /** @description One that is missing has no own texts. */
            kinds: {
                /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                won?: {
                    [key: string]: {
                        /** @description One line. */
                        subject: string;
                        /** @description The text above the prize. */
                        lead: string;
                    };
                };
                /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                claim_ends?: {
                    [key: string]: {
                        /** @description One line. */
                        subject: string;
                        /** @description The text above the prize. */
                        lead: string;
                    };
                };
                /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                spins_waiting?: {
                    [key: string]: {
                        /** @description One line. */
                        subject: string;
                        /** @description The text above the prize. */
                        lead: string;
                    };
                };
                /** @description Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed. */
                spins_expire?: {
                    [key: string]: {
                        /** @description One line. */
                        subject: string;
                        /** @description The text above the prize. */
                        lead: string;
                    };
                };
            };
        };
        MessageExampleBody: {
            /**
             * @description `address_code`: the code that proves an address, which has no own texts.
             * @enum {unknown}
             */
            kind: "won" | "claim_ends" | "spins_waiting" | "spins_expire" | "address_code";
            /** @example de */
            language: string;
            /** @description Without one, with the merchant's texts alone. */
            campaign?: string;
            /** @description Texts that are not saved, instead of those of the campaign or the merchant. */
            texts?: {
                [key: string]: {
                    /** @description One line. */
                    subject: string;
                    /** @description The text above the prize. */
                    lead: string;
                };
            };
        };
        MessageExample: {
            /** @description The name beside the operator's address. */
            fromName: string;
            subject: string;
            text: string;
            html: string;
        };
        DeadAddress: {
            id: string;
            address: string | null;
            playerId: string | null;
            /**
             * @description The verdict that it was given up for.
             * @example address_dead
             */
            reason: string;
            /** Format: date-time */
            deadAt: string;
        };
        DeadAddressPage: {
            deadAddresses: components["schemas"]["DeadAddress"][];
            next: string | null;
        };
        LiftDeadAddressAnswer: Record<string, never>;
        Grant: {
            /**
             * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
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
             * @description The reason, for the record. It is kept for ever, so leave out personal data.
             * @example wrong prize shown on Monday
             */
            reason?: string;
            /**
             * @description By default the campaign that the token is bound to, or `main`.
             * @example summer
             */
            campaign?: string;
            /**
             * Format: date-time
             * @description When the spins expire: in the future, and at most ten years away. Without it, or with `null`, after `spinLifetimeDays` of the campaign or the merchant, if there is one.
             * @example 2026-12-24T18:00:00Z
             */
            expiresAt?: string | null;
        };
        GrantBatchBody: {
            /**
             * @description The reason, for the record. It is kept for ever, so leave out personal data.
             * @example wrong prize shown on Monday
             */
            reason?: string;
            grants: components["schemas"]["Grant"][];
        };
        GrantVerdict: {
            playerId: string;
            /** @enum {string} */
            outcome: "granted" | "replayed" | "refused";
            spinCount: number | null;
            code: string | null;
            detail: string | null;
        };
        GrantBatchAnswer: {
            granted: number;
            refused: number;
            verdicts: components["schemas"]["GrantVerdict"][];
        };
        GrantSpinsBody: {
            /**
             * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
             * @example alice
             */
            playerId: string;
            /** @example 5 */
            spins: number;
            /**
             * @description By default the campaign that the token is bound to, or `main`.
             * @example summer
             */
            campaign?: string;
            /**
             * Format: date-time
             * @description When the spins expire: in the future, and at most ten years away. Without it, or with `null`, after `spinLifetimeDays` of the campaign or the merchant, if there is one.
             * @example 2026-12-24T18:00:00Z
             */
            expiresAt?: string | null;
            /**
             * @description The reason, for the record. It is kept for ever, so leave out personal data.
             * @example wrong prize shown on Monday
             */
            reason?: string;
        };
        CampaignBalance: {
            playerId: string;
            campaign: string;
            /** @description The spins that the player has for the campaign now. */
            spinCount: number;
        };
        GivePlayerSpinsBody: {
            /** @example 5 */
            spins: number;
            /**
             * @description The reason, for the record. It is kept for ever, so leave out personal data.
             * @example wrong prize shown on Monday
             */
            reason: string;
            /**
             * @description The campaign that the spins are for; `main` by default.
             * @example summer
             */
            campaign?: string;
            /**
             * Format: date-time
             * @description When the spins expire: in the future, and at most ten years away. Without it, or with `null`, after `spinLifetimeDays` of the campaign or the merchant, if there is one.
             * @example 2026-12-24T18:00:00Z
             */
            expiresAt?: string | null;
        };
        GivePlayerSpinsAnswer: {
            playerId: string;
            spinCount: number;
        };
        CreateLinkBody: {
            /**
             * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
             * @example alice
             */
            playerId: string;
            /**
             * @description The campaign that the link opens; by default the one that the token is bound to, or `main`. `*` for the lobby, with a card for each campaign.
             * @example main
             */
            campaign?: string;
            /**
             * @description Spins for a newcomer to the campaign: granted once per player and campaign.
             * @example 3
             */
            initialSpins?: number;
            /**
             * @description The language of the page (BCP 47). By default that of the player's browser.
             * @example de
             */
            language?: string;
            /**
             * @description How many seconds the link is valid; by default the merchant's setting.
             * @example 3600
             */
            expiresIn?: number;
            /**
             * @description The player's time zone, for free spins by the days of the player. By default that of the browser.
             * @example Europe/Berlin
             */
            timeZone?: string;
        };
        CampaignLink: {
            /** Format: uri */
            link: string;
            /** @description Signed token of the link, which contains it. */
            token: string;
            linkId: string;
            /** @description `*` for the lobby. */
            campaign: string;
            /** Format: date-time */
            expiresAt: string;
        };
        CreateWalletLinkBody: {
            /**
             * @description The only campaign whose prizes the wallet shows; by default the one that the token is bound to, or `*` for all.
             * @example main
             */
            campaign?: string;
            /**
             * @description The language of the page (BCP 47). By default that of the player's browser.
             * @example de
             */
            language?: string;
        };
        LiveLink: {
            linkId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description The campaign that it opens; `*` for the lobby. */
            campaign: string;
            /** @enum {string} */
            opens: "game" | "wallet";
        };
        LiveLinkPage: {
            links: components["schemas"]["LiveLink"][];
            next: string | null;
        };
        RevokedLink: {
            linkId: string;
            /** Format: date-time */
            revokedAt: string;
        };
        RevokedLinkPage: {
            links: components["schemas"]["RevokedLink"][];
            next: string | null;
        };
        RevokeLinkAnswer: {
            linkId: string;
        };
        CreateLinkListBody: {
            /**
             * @description The campaign that the links open, or `*` for the lobby.
             * @example main
             */
            campaign: string;
            /**
             * @description The language of the page (BCP 47). By default that of the player's browser.
             * @example de
             */
            language?: string;
            /**
             * @description How many seconds the link is valid; by default the merchant's setting.
             * @example 3600
             */
            expiresIn?: number;
            /** @description Who gets a link. An id that is repeated counts once; unknown players are created. */
            playerIds: string[];
        };
        LinkList: {
            /** Format: uuid */
            list: string;
            /** @description `*` for the lobby. */
            campaign: string;
            language: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @example staff:7 */
            createdBy: string;
            /**
             * Format: date-time
             * @description The end of all links. The list is deleted then.
             */
            expiresAt: string;
            /** @description When the file was complete; null before. */
            finishedAt: string | null;
            /** @description Each once. */
            players: number;
            /** @description Links so far. */
            made: number;
            /** @description Players without a link; the file says why. */
            refused: number;
        };
        DeleteLinkListAnswer: {
            /** @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72 */
            list: string;
        };
        ListLinkListsAnswer: {
            lists: components["schemas"]["LinkList"][];
        };
        RevokeLinkListAnswer: {
            /** @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72 */
            list: string;
        };
        Play: {
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
            prize: components["schemas"]["GamePrize"];
            proof: components["schemas"]["PlayProof"];
            campaign: string;
        };
        PlayPage: {
            plays: components["schemas"]["Play"][];
            next: string | null;
        };
        Prize: {
            /**
             * Format: uuid
             * @description The id of the prize: a play wins at most one.
             */
            playId: string;
            playerId: string;
            wheel: string;
            wheelVersion: number;
            /** @description The id of the segment. */
            prizeId: string;
            /** @enum {string} */
            kind: "pool" | "fixed" | "link" | "points" | "handover";
            label: string;
            code: string | null;
            url: string | null;
            points: number | null;
            /** Format: date-time */
            wonAt: string;
            claimBefore: string | null;
            /** @enum {string} */
            state: "held" | "won" | "claimed" | "redeemed" | "cancelled" | "expired" | "refused";
            claimedAt: string | null;
            /** @description When it was redeemed, cancelled, refused or expired. */
            settledAt: string | null;
            settledBy: string | null;
            reason: string | null;
            /** @description Whether a cancelled or refused prize went back into its stock. */
            stockReturned: boolean;
            /** @description Until when the redemption can be taken back; null if it cannot. */
            reversibleUntil: string | null;
            /** @description When a redemption was last taken back. The audit log has the reason. */
            reversedAt: string | null;
            /** @description By when it should be checked, if it is held. Null otherwise. */
            heldUntil: string | null;
            /** @description The condition that held it, even if it was decided since. Null if it was never held. */
            heldBecause: ("always" | "new_player" | "many_wins" | "high_cost") | null;
            campaign: string;
            /**
             * @description What the player of a prize that is handed over shows at the till. Other prizes have none.
             * @example 6GX4R-2K9QD
             */
            number: string | null;
        };
        PrizePage: {
            prizes: components["schemas"]["Prize"][];
            next: string | null;
        };
        ClaimPrizeBody: {
            /**
             * @description The reason, for the record. It is kept for ever, so leave out personal data.
             * @example wrong prize shown on Monday
             */
            reason?: string;
        };
        RedeemPrizeBody: {
            /**
             * @description The reason, for the record. It is kept for ever, so leave out personal data.
             * @example wrong prize shown on Monday
             */
            reason?: string;
        };
        CancelPrizeBody: {
            /**
             * @description The reason, for the record. It is kept for ever, so leave out personal data.
             * @example wrong prize shown on Monday
             */
            reason?: string;
            returnStock?: boolean;
        };
        ReverseRedemptionBody: {
            /**
             * @description The reason, for the record. It is kept for ever, so leave out personal data.
             * @example wrong prize shown on Monday
             */
            reason: string;
        };
        ReleasePrizeBody: Record<string, never>;
        RefusePrizeBody: {
            /**
             * @description What the player reads, in its language. `terms_not_met` says least.
             * @enum {unknown}
             */
            reason: "terms_not_met" | "entered_repeatedly" | "details_not_confirmed" | "technical_error";
        };
        ReportDay: {
            /** Format: date */
            day: string;
            plays: number;
            /** @description Plays that came to rest on a prize. */
            wins: number;
            /** @description The cost of the prizes, as far as the wheel states it. */
            cost: number;
            /** @description Number of grants. */
            grants: number;
            spinsGranted: number;
            spinsSpent: number;
            spinsWon: number;
            /** @description Spins added by corrections, minus spins removed. */
            spinsCorrected: number;
            spinsExpired: number;
            spinsFree: number;
            newPlayers: number;
            claimed: number;
            /** @description Including redemptions that were taken back later. */
            redeemed: number;
            cancelled: number;
            expired: number;
            /** @description Redemptions that were taken back. */
            reversed: number;
            /** @description Prizes that were held to be checked, whatever was decided later. */
            held: number;
            /** @description Held prizes that were refused. */
            refused: number;
        };
        ReportDaysAnswer: {
            timeZone: string;
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /** @description The report covers everything up to this time; usually about a minute ago. */
            countedUntil: string | null;
            days: components["schemas"]["ReportDay"][];
        };
        ReportPrize: {
            wheel: string;
            prizeId: string;
            kind: string;
            label: string;
            /** @description How often the wheel came to rest there. */
            given: number;
            /** @description How often it was drawn, including when it could not be given. */
            drawn: number;
            /** @description The expected number of draws, by the published weights. */
            expected: number;
            /** @description The standard deviation of `expected`. 95 % of all results are within two of them. */
            deviation: number;
            cost: number;
            claimed: number;
            /** @description Including redemptions that were taken back later. */
            redeemed: number;
            cancelled: number;
            expired: number;
            /** @description Redemptions that were taken back. */
            reversed: number;
            /** @description Prizes that were held to be checked, whatever was decided later. */
            held: number;
            /** @description Held prizes that were refused. */
            refused: number;
        };
        ReportPrizesAnswer: {
            timeZone: string;
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /** @description The report covers everything up to this time; usually about a minute ago. */
            countedUntil: string | null;
            prizes: components["schemas"]["ReportPrize"][];
        };
        Performance: {
            /** @description Players who opened the game, each once for a day, campaign and wheel. */
            visits: number;
            plays: number;
            /** @description Plays that came to rest on a prize. */
            wins: number;
            /** @description Plays that got the fallback, because the drawn prize could not be given. */
            fallbacks: number;
            /** @description The cost of the prizes, as far as the wheel states it. */
            cost: number;
            claimed: number;
            /** @description Including redemptions that were taken back later. */
            redeemed: number;
            cancelled: number;
            expired: number;
            /** @description Redemptions that were taken back. */
            reversed: number;
            /** @description Prizes that were held to be checked, whatever was decided later. */
            held: number;
            /** @description Held prizes that were refused. */
            refused: number;
        };
        ComparedDay: {
            /** Format: date */
            day: string;
            /** @description Players who opened the game, each once for a day, campaign and wheel. */
            visits: number;
            plays: number;
            /** @description Plays that came to rest on a prize. */
            wins: number;
            /** @description Plays that got the fallback, because the drawn prize could not be given. */
            fallbacks: number;
            /** @description The cost of the prizes, as far as the wheel states it. */
            cost: number;
            claimed: number;
            /** @description Including redemptions that were taken back later. */
            redeemed: number;
            cancelled: number;
            expired: number;
            /** @description Redemptions that were taken back. */
            reversed: number;
            /** @description Prizes that were held to be checked, whatever was decided later. */
            held: number;
            /** @description Held prizes that were refused. */
            refused: number;
        };
        PerformanceDay: {
            /** Format: date */
            day: string;
            /** @description Players who opened the game, each once for a day, campaign and wheel. */
            visits: number;
            plays: number;
            /** @description Plays that came to rest on a prize. */
            wins: number;
            /** @description Plays that got the fallback, because the drawn prize could not be given. */
            fallbacks: number;
            /** @description The cost of the prizes, as far as the wheel states it. */
            cost: number;
            claimed: number;
            /** @description Including redemptions that were taken back later. */
            redeemed: number;
            cancelled: number;
            expired: number;
            /** @description Redemptions that were taken back. */
            reversed: number;
            /** @description Prizes that were held to be checked, whatever was decided later. */
            held: number;
            /** @description Held prizes that were refused. */
            refused: number;
            compared: components["schemas"]["ComparedDay"] | null;
        };
        ReportPerformanceAnswer: {
            timeZone: string;
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /** @description The report covers everything up to this time; usually about a minute ago. */
            countedUntil: string | null;
            compared: {
                /** Format: date */
                from: string;
                /** Format: date */
                to: string;
            } | null;
            totals: components["schemas"]["Performance"];
            comparedTotals: components["schemas"]["Performance"] | null;
            days: components["schemas"]["PerformanceDay"][];
        };
        FunnelStage: {
            /** @enum {string} */
            stage: "opened" | "played" | "won" | "claimed" | "redeemed";
            /** @description Visits that came to this stage or beyond it. */
            visits: number;
            /** @description The share of all visits, from 0 to 1. */
            share: number;
            comparedVisits: number | null;
            comparedShare: number | null;
        };
        ReportFunnelAnswer: {
            timeZone: string;
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /** @description The report covers everything up to this time; usually about a minute ago. */
            countedUntil: string | null;
            compared: {
                /** Format: date */
                from: string;
                /** Format: date */
                to: string;
            } | null;
            stages: components["schemas"]["FunnelStage"][];
        };
        Cohort: {
            /**
             * Format: date
             * @description The Monday of the week of their first play.
             */
            week: string;
            players: number;
            weeks: {
                /** @description Weeks after the first one; 0 for the first one itself. */
                after: number;
                /** @description Players of the cohort who played in that week. */
                players: number;
                /** @description From 0 to 1. */
                share: number;
            }[];
        };
        ReportCohortsAnswer: {
            timeZone: string;
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /** @description The report covers everything up to this time; usually about a minute ago. */
            countedUntil: string | null;
            cohorts: components["schemas"]["Cohort"][];
        };
        ReadEventsAnswer: {
            events: components["schemas"]["Event"][];
            /** @description Send it as the next `after`. It advances even if no event matches `types`. */
            next: number;
            /** @description The number of the newest event. While `next` is less, there is more to read. */
            last: number;
        };
        /**
         * @description A type of event.
         * @enum {unknown}
         */
        EventType: "player.created" | "spins.granted" | "spins.corrected" | "spins.expiring" | "spins.expired" | "streak.changed" | "entry.created" | "entry.verified" | "entry.refused" | "entry.answered" | "consent.withdrawn" | "link.created" | "link.opened" | "player.limited" | "player.blocked" | "player.unblocked" | "play.completed" | "play.refused" | "prize.held" | "prize.released" | "prize.refused" | "prize.won" | "prize.claimed" | "prize.redeemed" | "prize.redemption_reversed" | "prize.cancelled" | "prize.expired" | "prize.stock_low" | "prize.stock_out" | "wheel.published" | "wheel.paused" | "wheel.resumed" | "wheel.drifted" | "wheel.publication_failed" | "campaign.created" | "campaign.changed" | "campaign.change_failed" | "campaign.paused" | "campaign.resumed" | "campaign.opened" | "campaign.closed" | "campaign.archived" | "campaign.restored" | "token.issued" | "token.revoked" | "message.sent" | "message.failed" | "webhook.disabled";
        EventSearch: {
            events: components["schemas"]["Event"][];
            /** @description Send it as `cursor` to get older events; null at the end. */
            next: string | null;
            /** @description The number of the newest event in the log. Send it as `after` to follow from there. */
            last: number;
        };
        CreateEventTicketAnswer: {
            /**
             * @description Send it as the query parameter `ticket` of the live stream.
             * @example tkt_…
             */
            ticket: string;
            /**
             * Format: date-time
             * @description The connection must be made before this.
             */
            expiresAt: string;
        };
        WebhookFault: {
            /** Format: date-time */
            at: string;
            /** @description The HTTP status of the answer; null if there was none. */
            status: number | null;
            /** @description Why there was no answer. */
            fault: ("blocked" | "dns" | "refused" | "tls" | "timeout" | "reset" | "protocol") | null;
        };
        Webhook: {
            webhookId: string;
            /** @description Staff who may not change webhooks see it without parts that may be keys. */
            url: string;
            description: string;
            types: string[] | null;
            /** @enum {string} */
            state: "active" | "paused" | "disabled";
            pausedAt: string | null;
            disabledAt: string | null;
            /** @description `gone`: the receiver answered 410; `failing`: nothing but failures for three days. */
            disabledReason: ("gone" | "failing") | null;
            /** Format: date-time */
            createdAt: string;
            /** @description Until this time, events are also signed with the previous secret. */
            oldSecretUntil: string | null;
            /** @description Failed attempts since the last success. */
            failures: number;
            failingSince: string | null;
            /** @description The newest failure among the last 100 attempts, tests included. */
            lastFault: components["schemas"]["WebhookFault"] | null;
            /** @description Nothing is sent before this time, because the receiver asked for a pause or keeps failing. */
            heldUntil: string | null;
            /** @description The receiver took two seconds or more to answer. Until this time it gets fewer requests at once. */
            slowUntil: string | null;
            /** @description Every event up to this number was delivered, or is listed in the deliveries. */
            cursor: number;
            /** @description How many events of the log are behind the cursor. */
            lag: number;
        };
        WebhookPage: {
            webhooks: components["schemas"]["Webhook"][];
            next: string | null;
        };
        CreateWebhookBody: {
            /**
             * @description The URL that gets the events: https, on the public internet.
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
            types?: components["schemas"]["EventType"][] | null;
        };
        WebhookWithSecret: {
            webhookId: string;
            /** @description Staff who may not change webhooks see it without parts that may be keys. */
            url: string;
            description: string;
            types: string[] | null;
            /** @enum {string} */
            state: "active" | "paused" | "disabled";
            pausedAt: string | null;
            disabledAt: string | null;
            /** @description `gone`: the receiver answered 410; `failing`: nothing but failures for three days. */
            disabledReason: ("gone" | "failing") | null;
            /** Format: date-time */
            createdAt: string;
            /** @description Until this time, events are also signed with the previous secret. */
            oldSecretUntil: string | null;
            /** @description Failed attempts since the last success. */
            failures: number;
            failingSince: string | null;
            /** @description The newest failure among the last 100 attempts, tests included. */
            lastFault: components["schemas"]["WebhookFault"] | null;
            /** @description Nothing is sent before this time, because the receiver asked for a pause or keeps failing. */
            heldUntil: string | null;
            /** @description The receiver took two seconds or more to answer. Until this time it gets fewer requests at once. */
            slowUntil: string | null;
            /** @description Every event up to this number was delivered, or is listed in the deliveries. */
            cursor: number;
            /** @description How many events of the log are behind the cursor. */
            lag: number;
            /**
             * @description Shown once. It verifies signatures.
             * @example whsec_…
             */
            secret: string;
        };
        ChangeWebhookBody: {
            /**
             * @description The URL that gets the events: https, on the public internet.
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
            types?: components["schemas"]["EventType"][] | null;
        };
        DeleteWebhookAnswer: {
            webhookId: string;
        };
        TestWebhookAnswer: {
            eventId: string;
            delivered: boolean;
            /** @description The HTTP status of the answer; null if there was none. */
            status: number | null;
            /** @description Why there was no answer. */
            fault: ("blocked" | "dns" | "refused" | "tls" | "timeout" | "reset" | "protocol") | null;
            tookMs: number;
            /** @description The beginning of the body of the answer: at most 1024 characters. Not shown to staff who may not see codes. */
            excerpt: string | null;
            /**
             * @description The headers of the answer that help to find a fault, by their lower-case names.
             * @example {
             *       "content-type": "text/html",
             *       "server": "nginx",
             *       "x-request-id": "7f3c"
             *     }
             */
            headers: {
                [key: string]: string;
            };
        };
        WebhookDelivery: {
            /**
             * @description The number of the event.
             * @example 4711
             */
            seq: number;
            eventId: string;
            type: string;
            /** @enum {string} */
            state: "waiting" | "dead";
            tries: number;
            /** Format: date-time */
            createdAt: string;
            nextTryAt: string | null;
            deadAt: string | null;
            /** @description The event, as it is sent. */
            body: string;
        };
        ListWebhookDeliveriesAnswer: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description The cursor of the next page; null at the end. */
            next: number | null;
        };
        WebhookAttempt: {
            /** @description Counts the attempts for one event: 1, 2, 3. Attempts that were deleted since do not count. */
            attemptNo: number;
            /** @description Null for a test. */
            seq: number | null;
            eventId: string;
            type: string;
            /** Format: date-time */
            at: string;
            /** @description The HTTP status of the answer; null if there was none. */
            status: number | null;
            /** @description Why there was no answer. */
            fault: ("blocked" | "dns" | "refused" | "tls" | "timeout" | "reset" | "protocol") | null;
            tookMs: number;
            /** @description The beginning of the body of the answer: at most 1024 characters. Not shown to staff who may not see codes. */
            excerpt: string | null;
            /**
             * @description The headers of the answer that help to find a fault, by their lower-case names.
             * @example {
             *       "content-type": "text/html",
             *       "server": "nginx",
             *       "x-request-id": "7f3c"
             *     }
             */
            headers: {
                [key: string]: string;
            };
        };
        ListWebhookAttemptsAnswer: {
            attempts: components["schemas"]["WebhookAttempt"][];
            /** @description The cursor of the next page; null at the end. */
            next: number | null;
        };
        /** @description At least one of `seq`, `fromSeq`, `toSeq` and `since`. `seq` cannot be combined with the others. */
        ResendEventsBody: {
            /**
             * @description `dead`: events that were given up. `all`: whatever the log still has, also what was taken.
             * @default dead
             * @enum {unknown}
             */
            only: "dead" | "all";
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
        ResendEventsAnswer: {
            /** @example rs_5f0e7c3a9b1e2f6d */
            resendId: string;
            /**
             * @description `finished`: all events are queued. They are sent as fast as the receiver takes them.
             * @enum {string}
             */
            state: "running" | "finished";
            /** @description How many events were queued so far. */
            queued: number;
            /**
             * @description `dead`: events that were given up. `all`: whatever the log still has, also what was taken.
             * @default dead
             * @enum {string}
             */
            only: "dead" | "all";
            fromSeq: number;
            toSeq: number | null;
            since: string | null;
            /** Format: date-time */
            createdAt: string;
            finishedAt: string | null;
            /** @description Always null: one resend takes any number of events. */
            next: null;
        };
        ResendCount: {
            /**
             * @description How many events would be sent again.
             * @example 42
             */
            events: number;
            /** @description False if there may be more: at most 100000 events are read to count them. */
            isComplete: boolean;
        };
        ListResendsAnswer: {
            resends: {
                /** @example rs_5f0e7c3a9b1e2f6d */
                resendId: string;
                /**
                 * @description `finished`: all events are queued. They are sent as fast as the receiver takes them.
                 * @enum {string}
                 */
                state: "running" | "finished";
                /** @description How many events were queued so far. */
                queued: number;
                /**
                 * @description `dead`: events that were given up. `all`: whatever the log still has, also what was taken.
                 * @default dead
                 * @enum {string}
                 */
                only: "dead" | "all";
                fromSeq: number;
                toSeq: number | null;
                since: string | null;
                /** Format: date-time */
                createdAt: string;
                finishedAt: string | null;
                /** @description Always null: one resend takes any number of events. */
                next: null;
            }[];
        };
        ReadResendAnswer: {
            /** @example rs_5f0e7c3a9b1e2f6d */
            resendId: string;
            /**
             * @description `finished`: all events are queued. They are sent as fast as the receiver takes them.
             * @enum {string}
             */
            state: "running" | "finished";
            /** @description How many events were queued so far. */
            queued: number;
            /**
             * @description `dead`: events that were given up. `all`: whatever the log still has, also what was taken.
             * @default dead
             * @enum {string}
             */
            only: "dead" | "all";
            fromSeq: number;
            toSeq: number | null;
            since: string | null;
            /** Format: date-time */
            createdAt: string;
            finishedAt: string | null;
            /** @description Always null: one resend takes any number of events. */
            next: null;
        };
        Merchant: {
            merchant: string;
            name: string;
            /**
             * @description Only for a test merchant.
             * @enum {boolean}
             */
            live?: false;
            /** Format: date-time */
            createdAt: string;
            /** @description If true, increaseSpin refuses players that never had a game link. */
            strictPlayers: boolean;
            /**
             * @description Spins at most in one call.
             * @example 1000
             */
            grantMax: number;
            dailyGrantMax: number | null;
            /**
             * @description Spins at most that a person with the role support gives on one day of the merchant's time zone.
             * @example 100
             */
            supportDailyGrantMax: number;
            linkLifetimeSeconds: number;
            spinLifetimeDays: number | null;
            spinExpiryNoticeHours: number | null;
            /**
             * @description How long after it a redemption can be taken back, in hours; 0 for never.
             * @example 24
             */
            redemptionReversalHours: number;
            /** @description The origins that may show the game in a frame. */
            embedOrigins: string[];
            /**
             * @description The time zone of days in reports, and of times in the console.
             * @example Europe/Berlin
             */
            timeZone: string;
            currency: string | null;
        };
        ChangeMerchantBody: {
            /** @description If true, increaseSpin refuses players that never had a game link. */
            strictPlayers?: boolean;
            /**
             * @description Spins at most in one call.
             * @example 1000
             */
            grantMax?: number;
            dailyGrantMax?: number | null;
            /**
             * @description Spins at most that a person with the role support gives on one day of the merchant's time zone.
             * @example 100
             */
            supportDailyGrantMax?: number;
            linkLifetimeSeconds?: number;
            spinLifetimeDays?: number | null;
            spinExpiryNoticeHours?: number | null;
            /**
             * @description How long after it a redemption can be taken back, in hours; 0 for never.
             * @example 24
             */
            redemptionReversalHours?: number;
            /** @description The origins that may show the game in a frame. */
            embedOrigins?: string[];
            /**
             * @description The time zone of days in reports, and of times in the console.
             * @example Europe/Berlin
             */
            timeZone?: string;
            currency?: string | null;
        };
        /** @enum {unknown} */
        Scope: "spins" | "links" | "manage" | "events" | "prizes" | "read";
        ServiceToken: {
            /** @description The part before the colon. */
            tokenId: string;
            name: string;
            scopes: components["schemas"]["Scope"][];
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            revokedAt: string | null;
            lastUsedAt: string | null;
            /** @description The campaign that it is bound to; null if it is not bound: then increaseSpin and sso mean `main`. */
            campaign: string | null;
        };
        ServiceTokenPage: {
            tokens: components["schemas"]["ServiceToken"][];
            next: string | null;
        };
        IssueTokenBody: {
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
            scopes: components["schemas"]["Scope"][];
            /** Format: date-time */
            expiresAt?: string;
            /**
             * @description Binds the token to a campaign: every scope means this campaign alone. `main` binds it to none: increaseSpin and sso mean `main`, and the token sees all campaigns.
             * @example summer
             */
            campaign?: string;
        };
        IssueTokenAnswer: {
            tokenId: string;
            token: string;
        };
        Actor: {
            /** @enum {string} */
            kind: "token" | "staff" | "command" | "worker";
            /** @description For example the identifier of a token. */
            id: string;
            name: string | null;
        };
        AuditEntry: {
            entry: number;
            /** Format: date-time */
            at: string;
            actor: components["schemas"]["Actor"];
            /** @example player.correct */
            action: string;
            /** @example player */
            subjectKind: string;
            subject: string | null;
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
            requestId: string | null;
        };
        AuditEntryPage: {
            entries: components["schemas"]["AuditEntry"][];
            next: string | null;
        };
        RecentRequest: {
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
        };
        ListRecentRequestsAnswer: {
            requests: components["schemas"]["RecentRequest"][];
            /** @description How many processes this server runs. */
            processes: number;
        };
        Seal: {
            /** @description Counts up from 1. */
            seal: number;
            /** Format: date-time */
            at: string;
            /** @description How many entries of the ledger it covers. */
            entries: number;
            plays: number;
            /**
             * @description The hash over everything that this seal and all seals before it cover.
             * @example 5c6b…
             */
            hash: string;
            keyId: string | null;
        };
        SealPage: {
            seals: components["schemas"]["Seal"][];
            next: string | null;
        };
        TestMerchant: {
            /**
             * @example test-acme
             * @example test-acme_ci-1
             */
            merchant: string;
            /** @description Its name, if it has one. */
            test: string | null;
            name: string;
            /**
             * @description Always false: this is a test merchant.
             * @enum {boolean}
             */
            live: false;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            now: string;
        };
        OpenTestMerchantBody: {
            name?: string;
            scopes?: ("spins" | "links" | "manage" | "events" | "prizes" | "read")[];
        };
        TestMerchantWithToken: {
            /**
             * @example test-acme
             * @example test-acme_ci-1
             */
            merchant: string;
            /** @description Its name, if it has one. */
            test: string | null;
            name: string;
            /**
             * @description Always false: this is a test merchant.
             * @enum {boolean}
             */
            live: false;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            now: string;
            /** @example test-acme-1f2e3d4c5b:… */
            token: string;
        };
        TestMerchants: {
            testMerchants: components["schemas"]["TestMerchant"][];
        };
        PromotionChange: {
            /** @example /wheel/segments/coffee/weight */
            path: string;
            /** @description Missing if the field is new. */
            before?: unknown;
            /** @description Missing if the field is removed. */
            after?: unknown;
            /**
             * @description The same in words. Codes are masked.
             * @example Segment "coffee", weight: 3 → 5
             */
            text: string;
        };
        Promotion: {
            /**
             * @description The test merchant.
             * @example test-acme
             */
            from: string;
            wheel: string;
            /** @description Null for a wheel alone. */
            campaign: string | null;
            /** @description Whether the wheel is published too. If so, the differences are those from the version that players play, otherwise from the draft. */
            publishes: boolean;
            /** @description Also the ETag. Send it as If-Match to promote. */
            revision: string;
            changes: components["schemas"]["PromotionChange"][];
            stock: {
                segment: string;
                stock: number;
                /** @description Units that the live merchant has given out. */
                given: number;
                /** @description True if the live stock stays, false if the prize begins with that of the test merchant. */
                isKept: boolean;
            }[];
            pools: {
                pool: string;
                /** @description Of the live pool; null if there is none. Codes are never copied. */
                codesLeft: number | null;
            }[];
            notes: {
                /** @enum {string} */
                code: "draft_replaced" | "test_draft_not_promoted" | "runs_end" | "publication_scheduled" | "wheel_shared" | "purse_kept" | "closed_already";
                /** @description Ids or a time, where the note has some. */
                about: string | null;
                text: string;
            }[];
            /** @description Why the wheel could not be published. */
            problems: components["schemas"]["FieldError"][];
        };
        PromoteWheelBody: {
            /** @description As in the promotion that was shown. */
            publish?: boolean;
        };
        Promoted: {
            wheel: string;
            campaign: string | null;
            /** @description How many fields have changed. */
            changes: number;
            /** @description The version of the live wheel that was published, or null. */
            version: number | null;
        };
        PromoteCampaignBody: {
            /** @description As in the promotion that was shown. */
            publish?: boolean;
        };
        TestClock: {
            /**
             * Format: date-time
             * @description The time of the test merchant.
             */
            now: string;
            /**
             * @description Always false: this is a test merchant.
             * @enum {boolean}
             */
            live: false;
        };
        SetTestClockBody: {
            /**
             * Format: date-time
             * @example 2027-03-28T00:59:30Z
             */
            now: string;
        };
        SendSampleEventBody: {
            type: components["schemas"]["EventType"];
        };
        SendSampleEventAnswer: {
            type: components["schemas"]["EventType"];
            /** @enum {boolean} */
            live: false;
        };
        PlayInTestBody: {
            /**
             * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
             * @example alice
             */
            playerId: string;
            /** @description The campaign to play; `main` by default. */
            campaign?: string;
            /** @description A UUID; made by the server if omitted. */
            playId?: string;
            /** @description The player's 32 bytes; random if omitted. */
            playerSeed?: string;
        };
        ExpiringSpins: {
            spins: number;
            /** Format: date-time */
            expiresAt: string;
        };
        FreeSpins: {
            /** @description The period of the rule: `day`, `week` or a duration. */
            every: string;
            /** @description Free spins that can be collected now. They are not in `spinCount`. */
            available: number;
            /** @description When the first of them are gone. */
            until: string | null;
            /** @description When the next ones come; null for never. */
            next: string | null;
            /** @description How many come then, with the extra ones for the streak. */
            nextSpins: number;
            streak: components["schemas"]["Streak"];
        };
        NextPlay: {
            playNumber: number;
            /** @description SHA-256 of the server's seed for this play. */
            commitment: string;
        };
        PlayInTestAnswer: {
            play: components["schemas"]["GamePlay"];
            spinCount: number;
            /** @description The spins among them that expire, in the order in which they are used. All others never expire, and are used last. */
            spinsExpire?: components["schemas"]["ExpiringSpins"][];
            free?: components["schemas"]["FreeSpins"];
            next: components["schemas"]["NextPlay"];
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
            header?: {
                /**
                 * @description Makes the call safe to repeat: a call with the same key and player gets the first answer and adds nothing. Keys are kept for ever and belong to one player. 1 to 255 visible ASCII characters.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncreaseSpinBody"];
            };
        };
        responses: {
            /** @description Success, with `IncreaseSpinAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncreaseSpinAnswer"];
                };
            };
        };
    };
    createGameLink: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGameLinkBody"];
            };
        };
        responses: {
            /** @description Success, with `GameLink`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameLink"];
                };
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description How many at most; 50 by default. A page may hold fewer; continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
                /** @description True for the archived campaigns instead of the others. */
                archived?: boolean;
                /** @description True for plays, cost and stock left of each campaign. */
                figures?: boolean;
            };
        };
        responses: {
            /** @description Success, with `CampaignPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignPage"];
                };
            };
        };
    };
    createCampaign: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCampaignBody"];
            };
        };
        responses: {
            /** @description Success, with `Campaign`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    readCampaign: {
        parameters: {
            query?: {
                /** @description True for plays, cost and stock left of each campaign. */
                figures?: boolean;
            };
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        responses: {
            /** @description Success, with `Campaign`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    changeCampaign: {
        parameters: {
            header?: {
                "if-match"?: string;
            };
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeCampaignBody"];
            };
        };
        responses: {
            /** @description Success, with `Campaign`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    archiveCampaign: {
        parameters: {
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        responses: {
            /** @description Success, with `Campaign`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    restoreCampaign: {
        parameters: {
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        responses: {
            /** @description Success, with `Campaign`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    duplicateCampaign: {
        parameters: {
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DuplicateCampaignBody"];
            };
        };
        responses: {
            /** @description Success, with `Campaign`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    readEntrySettings: {
        parameters: {
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        responses: {
            /** @description Success, with `EntrySettings`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntrySettings"];
                };
            };
        };
    };
    changeEntrySettings: {
        parameters: {
            header?: {
                "if-match"?: string;
            };
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEntrySettingsBody"];
            };
        };
        responses: {
            /** @description Success, with `EntrySettings`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntrySettings"];
                };
            };
        };
    };
    removeEntrySettings: {
        parameters: {
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        responses: {
            /** @description Success, with `RemoveEntrySettingsAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveEntrySettingsAnswer"];
                };
            };
        };
    };
    listEntryVersions: {
        parameters: {
            query?: {
                /** @description How many at most; 50 by default. A page may hold fewer; continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
            };
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        responses: {
            /** @description Success, with `EntryVersionPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntryVersionPage"];
                };
            };
        };
    };
    listVisitorEntries: {
        parameters: {
            query?: {
                /** @description How many at most; 50 by default. A page may hold fewer; continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
                /**
                 * @description Only the visitor with this address, in any of its spellings.
                 * @example ann@shop.example
                 */
                address?: string;
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
                /** @description Entered at or after this time. */
                from?: string;
                /** @description Entered before this time. */
                to?: string;
                /** @description True for proven addresses, false for those without a proof. */
                verified?: boolean;
            };
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        responses: {
            /** @description Success, with `VisitorEntryPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitorEntryPage"];
                };
            };
        };
    };
    listEntryCodes: {
        parameters: {
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        responses: {
            /** @description Success, with `EntryCodes`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntryCodes"];
                };
            };
        };
    };
    readEntryFigures: {
        parameters: {
            query?: {
                /** @description The first day; 30 days back by default. */
                from?: string;
                /** @description The last day; today by default. */
                to?: string;
            };
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        responses: {
            /** @description Success, with `EntryFigures`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntryFigures"];
                };
            };
        };
    };
    previewFreeSpins: {
        parameters: {
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewFreeSpinsBody"];
            };
        };
        responses: {
            /** @description Success, with `FreeSpinPreview`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FreeSpinPreview"];
                };
            };
        };
    };
    reportStreaks: {
        parameters: {
            query?: {
                /** @description JSON by default. `xlsx` is a workbook. */
                format?: "json" | "csv" | "xlsx";
                /** @description Between the cells of CSV; a comma by default. Excel expects a semicolon where numbers have a decimal comma. */
                separator?: "comma" | "semicolon";
                /** @description CSV begins with a byte order mark, so that Excel reads it as UTF-8. */
                bom?: true;
                /** @description Numbers in CSV have a decimal comma, as Excel expects in many countries. */
                decimal?: "comma";
            };
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Streaks"];
                };
            };
        };
    };
    scheduleCampaignWheel: {
        parameters: {
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleCampaignWheelBody"];
            };
        };
        responses: {
            /** @description Success, with `Campaign`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    cancelScheduledCampaignWheel: {
        parameters: {
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        responses: {
            /** @description Success, with `Campaign`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    listWheels: {
        parameters: {
            query?: {
                /** @description How many at most; 500 by default. Continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
            };
        };
        responses: {
            /** @description Success, with `WheelSummaryPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WheelSummaryPage"];
                };
            };
        };
    };
    readWheel: {
        parameters: {
            path: {
                wheel: string;
            };
        };
        responses: {
            /** @description Success, with `Wheel`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wheel"];
                };
            };
        };
    };
    saveWheel: {
        parameters: {
            header?: {
                "if-match"?: string;
            };
            path: {
                wheel: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WheelDocument"];
            };
        };
        responses: {
            /** @description Success, with `Wheel`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wheel"];
                };
            };
        };
    };
    publishWheel: {
        parameters: {
            header?: {
                "if-match"?: string;
            };
            path: {
                wheel: string;
            };
        };
        responses: {
            /** @description Success, with `PublishWheelAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishWheelAnswer"];
                };
            };
        };
    };
    pauseWheel: {
        parameters: {
            path: {
                wheel: string;
            };
        };
        responses: {
            /** @description Success, with `Wheel`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wheel"];
                };
            };
        };
    };
    resumeWheel: {
        parameters: {
            path: {
                wheel: string;
            };
        };
        responses: {
            /** @description Success, with `Wheel`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wheel"];
                };
            };
        };
    };
    openWheelByLinks: {
        parameters: {
            path: {
                wheel: string;
            };
        };
        responses: {
            /** @description Success, with `Wheel`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wheel"];
                };
            };
        };
    };
    listWheelVersions: {
        parameters: {
            path: {
                wheel: string;
            };
        };
        responses: {
            /** @description Success, with `ListWheelVersionsAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWheelVersionsAnswer"];
                };
            };
        };
    };
    readScheduledPublication: {
        parameters: {
            path: {
                wheel: string;
            };
        };
        responses: {
            /** @description Success, with `ScheduledPublicationWithDocument`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledPublicationWithDocument"];
                };
            };
        };
    };
    schedulePublication: {
        parameters: {
            header?: {
                "if-match"?: string;
            };
            path: {
                wheel: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SchedulePublicationBody"];
            };
        };
        responses: {
            /** @description Success, with `Wheel`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wheel"];
                };
            };
        };
    };
    cancelScheduledPublication: {
        parameters: {
            path: {
                wheel: string;
            };
        };
        responses: {
            /** @description Success, with `Wheel`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wheel"];
                };
            };
        };
    };
    simulateWheel: {
        parameters: {
            path: {
                wheel: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateWheelBody"];
            };
        };
        responses: {
            /** @description Success, with `SimulateWheelAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulateWheelAnswer"];
                };
            };
        };
    };
    listPaces: {
        parameters: {
            path: {
                wheel: string;
            };
        };
        responses: {
            /** @description Success, with `PaceReports`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaceReports"];
                };
            };
        };
    };
    readPaceCertificate: {
        parameters: {
            query?: {
                /** @description The newest run by default. */
                run?: number;
            };
            path: {
                wheel: string;
                /** @description The id of a prize, or `*` for the budget. */
                prize: string;
            };
        };
        responses: {
            /** @description Success, with `PaceCertificate`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaceCertificate"];
                };
            };
        };
    };
    readWheelVersion: {
        parameters: {
            path: {
                wheel: string;
                version: number;
            };
        };
        responses: {
            /** @description Success, with `WheelVersion`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WheelVersion"];
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
            path: {
                wheel: string;
            };
        };
        responses: {
            /** @description Success, with `CompareWheelVersionsAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareWheelVersionsAnswer"];
                };
            };
        };
    };
    listCodePools: {
        parameters: {
            query?: {
                /** @description How many at most; 500 by default. Continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
            };
        };
        responses: {
            /** @description Success, with `CodePoolPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodePoolPage"];
                };
            };
        };
    };
    readCodePool: {
        parameters: {
            path: {
                pool: string;
            };
        };
        responses: {
            /** @description Success, with `CodePool`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodePool"];
                };
            };
        };
    };
    uploadCodes: {
        parameters: {
            path: {
                pool: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadCodesBody"];
            };
        };
        responses: {
            /** @description Success, with `UploadCodesAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadCodesAnswer"];
                };
            };
        };
    };
    streamCodes: {
        parameters: {
            query?: {
                /** @description Skip the first line. */
                header?: true;
            };
            path: {
                pool: string;
            };
        };
        requestBody: {
            content: {
                "text/csv": unknown;
                "application/x-ndjson": unknown;
            };
        };
        responses: {
            /** @description Success, with `StreamCodesAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamCodesAnswer"];
                };
            };
        };
    };
    listPlayers: {
        parameters: {
            query?: {
                /** @description How many at most; 50 by default. A page may hold fewer; continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
                /** @description The beginning of the id. */
                prefix?: string;
                /** @description A part of the id, with letters A to Z in any case. Ids that begin with it come first. A page may be short or empty and still have a `next`. */
                search?: string;
                /** @description Only blocked players. */
                blocked?: true;
            };
        };
        responses: {
            /** @description Success, with `PlayerPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerPage"];
                };
            };
        };
    };
    readPlayer: {
        parameters: {
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        responses: {
            /** @description Success, with `Player`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    blockPlayer: {
        parameters: {
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        responses: {
            /** @description Success, with `Player`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    unblockPlayer: {
        parameters: {
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        responses: {
            /** @description Success, with `Player`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    revokePlayerLinks: {
        parameters: {
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        responses: {
            /** @description Success, with `Player`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    correctBalance: {
        parameters: {
            header: {
                /**
                 * @description Makes the call safe to repeat: the same call with the same key gets the first answer and changes nothing. Kept for ever. 1 to 255 visible ASCII characters.
                 * @example order-4711
                 */
                "idempotency-key": string;
            };
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CorrectBalanceBody"];
            };
        };
        responses: {
            /** @description Success, with `CorrectBalanceAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CorrectBalanceAnswer"];
                };
            };
        };
    };
    listLedgerEntries: {
        parameters: {
            query?: {
                /** @description How many at most; 50 by default. A page may hold fewer; continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
                /** @description Only this campaign, such as `main`; all by default. */
                campaign?: string;
            };
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        responses: {
            /** @description Success, with `LedgerEntryPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntryPage"];
                };
            };
        };
    };
    erasePersonalData: {
        parameters: {
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        responses: {
            /** @description Success, with `ErasePersonalDataAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasePersonalDataAnswer"];
                };
            };
        };
    };
    withdrawConsents: {
        parameters: {
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WithdrawConsentsBody"];
            };
        };
        responses: {
            /** @description Success, with `VisitorConsents`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitorConsents"];
                };
            };
        };
    };
    readContact: {
        parameters: {
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        responses: {
            /** @description Success, with `Contact`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    setContact: {
        parameters: {
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactBody"];
            };
        };
        responses: {
            /** @description Success, with `Contact`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    removeContact: {
        parameters: {
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        responses: {
            /** @description Success, with `RemoveContactAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveContactAnswer"];
                };
            };
        };
    };
    readMessageSettings: {
        parameters: {
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        responses: {
            /** @description Success, with `MessageSettingsAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageSettingsAnswer"];
                };
            };
        };
    };
    changeMessageSettings: {
        parameters: {
            header?: {
                "if-match"?: string;
            };
            path: {
                /**
                 * @description The permanent id of a campaign.
                 * @example summer
                 */
                campaign: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageSettings"];
            };
        };
        responses: {
            /** @description Success, with `MessageSettingsAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageSettingsAnswer"];
                };
            };
        };
    };
    readMessageStop: {
        parameters: {
        };
        responses: {
            /** @description Success, with `MessageStop`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageStop"];
                };
            };
        };
    };
    stopMessages: {
        parameters: {
        };
        responses: {
            /** @description Success, with `MessageStop`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageStop"];
                };
            };
        };
    };
    resumeMessages: {
        parameters: {
        };
        responses: {
            /** @description Success, with `MessageStop`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageStop"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description How many at most; 50 by default. A page may hold fewer; continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
                /** @description Only this campaign, such as `main`; all by default. */
                campaign?: string;
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
                kind?: "won" | "claim_ends" | "spins_waiting" | "spins_expire";
                /** @description `unknown`: the SMTP server has not answered, and nobody knows whether it arrived. */
                state?: "planned" | "sending" | "sent" | "refused" | "unknown" | "dropped";
                /** @description Planned at or after this time. */
                from?: string;
                /** @description Planned before this time. */
                to?: string;
            };
        };
        responses: {
            /** @description Success, with `MessagePage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
        };
    };
    readMessageTexts: {
        parameters: {
        };
        responses: {
            /** @description Success, with `MessageTextsAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageTextsAnswer"];
                };
            };
        };
    };
    changeMessageTexts: {
        parameters: {
            header?: {
                "if-match"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageTexts"];
            };
        };
        responses: {
            /** @description Success, with `MessageTextsAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageTextsAnswer"];
                };
            };
        };
    };
    previewMessage: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageExampleBody"];
            };
        };
        responses: {
            /** @description Success, with `MessageExample`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageExample"];
                };
            };
        };
    };
    listDeadAddresses: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
            };
        };
        responses: {
            /** @description Success, with `DeadAddressPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadAddressPage"];
                };
            };
        };
    };
    liftDeadAddress: {
        parameters: {
            path: {
                deadAddress: string;
            };
        };
        responses: {
            /** @description Success, with `LiftDeadAddressAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiftDeadAddressAnswer"];
                };
            };
        };
    };
    grantBatch: {
        parameters: {
            header: {
                /**
                 * @description Makes the call safe to repeat: the same call with the same key gets the first answer and changes nothing. Kept for ever. 1 to 255 visible ASCII characters.
                 * @example order-4711
                 */
                "idempotency-key": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantBatchBody"];
            };
        };
        responses: {
            /** @description Success, with `GrantBatchAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantBatchAnswer"];
                };
            };
        };
    };
    grantSpins: {
        parameters: {
            header: {
                /**
                 * @description Makes the call safe to repeat: the same call with the same key gets the first answer and changes nothing. Kept for ever. 1 to 255 visible ASCII characters.
                 * @example order-4711
                 */
                "idempotency-key": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantSpinsBody"];
            };
        };
        responses: {
            /** @description Success, with `CampaignBalance`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignBalance"];
                };
            };
        };
    };
    givePlayerSpins: {
        parameters: {
            header: {
                /**
                 * @description Makes the call safe to repeat: the same call with the same key gets the first answer and changes nothing. Kept for ever. 1 to 255 visible ASCII characters.
                 * @example order-4711
                 */
                "idempotency-key": string;
            };
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GivePlayerSpinsBody"];
            };
        };
        responses: {
            /** @description Success, with `GivePlayerSpinsAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GivePlayerSpinsAnswer"];
                };
            };
        };
    };
    createLink: {
        parameters: {
            header?: {
                /**
                 * @description Makes the call safe to repeat: a call with the same key and player gets the first answer and adds nothing. Keys are kept for ever and belong to one player. 1 to 255 visible ASCII characters.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLinkBody"];
            };
        };
        responses: {
            /** @description Success, with `CampaignLink`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignLink"];
                };
            };
        };
    };
    createWalletLink: {
        parameters: {
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateWalletLinkBody"];
            };
        };
        responses: {
            /** @description Success, with `CampaignLink`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignLink"];
                };
            };
        };
    };
    listLinksOfPlayer: {
        parameters: {
            query?: {
                /** @description How many at most; 50 by default. A page may hold fewer; continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
                /** @description Only events of this campaign, such as `main`, or of links to the lobby (`*`). Events that belong to no campaign are left out. */
                campaign?: string;
            };
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        responses: {
            /** @description Success, with `LiveLinkPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveLinkPage"];
                };
            };
        };
    };
    createLinkByHand: {
        parameters: {
            query?: {
                /**
                 * @description The campaign that the link opens; `main` by default, `*` for the lobby.
                 * @example main
                 */
                campaign?: string;
                /**
                 * @description How many seconds the link is valid; by default the merchant's setting.
                 * @example 3600
                 */
                expiresIn?: number;
            };
            path: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId: string;
            };
        };
        responses: {
            /** @description Success, with `CampaignLink`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignLink"];
                };
            };
        };
    };
    listRevokedLinks: {
        parameters: {
            query?: {
                /** @description How many at most; 50 by default. A page may hold fewer; continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
            };
        };
        responses: {
            /** @description Success, with `RevokedLinkPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedLinkPage"];
                };
            };
        };
    };
    revokeLink: {
        parameters: {
            path: {
                /**
                 * @description The `jti` of the game token, also in the event `link.created`.
                 * @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a71
                 */
                linkId: string;
            };
        };
        responses: {
            /** @description Success, with `RevokeLinkAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeLinkAnswer"];
                };
            };
        };
    };
    readLinkList: {
        parameters: {
            path: {
                /** @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72 */
                list: string;
            };
        };
        responses: {
            /** @description Success, with `LinkList`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkList"];
                };
            };
        };
    };
    createLinkList: {
        parameters: {
            path: {
                /** @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72 */
                list: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLinkListBody"];
            };
        };
        responses: {
            /** @description Success, with `LinkList`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkList"];
                };
            };
        };
    };
    deleteLinkList: {
        parameters: {
            path: {
                /** @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72 */
                list: string;
            };
        };
        responses: {
            /** @description Success, with `DeleteLinkListAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteLinkListAnswer"];
                };
            };
        };
    };
    listLinkLists: {
        parameters: {
        };
        responses: {
            /** @description Success, with `ListLinkListsAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListLinkListsAnswer"];
                };
            };
        };
    };
    revokeLinkList: {
        parameters: {
            path: {
                /** @example 0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72 */
                list: string;
            };
        };
        responses: {
            /** @description Success, with `RevokeLinkListAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeLinkListAnswer"];
                };
            };
        };
    };
    listPlays: {
        parameters: {
            query?: {
                /** @description How many at most; 50 by default. A page may hold fewer; continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
                /** @description Only this campaign, such as `main`; all by default. */
                campaign?: string;
                wheel?: string;
                prizeId?: string;
                /** @description Played at or after this time. */
                from?: string;
                /** @description Played before this time. */
                to?: string;
                won?: boolean;
            };
        };
        responses: {
            /** @description Success, with `PlayPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayPage"];
                };
            };
        };
    };
    readPlay: {
        parameters: {
            query?: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
            };
            path: {
                /** @description The id of the play, unique among the player's plays. */
                playId: string;
            };
        };
        responses: {
            /** @description Success, with `Play`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Play"];
                };
            };
        };
    };
    listPrizes: {
        parameters: {
            query?: {
                /** @description How many at most; 50 by default. A page may hold fewer; continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
                /** @description Only this campaign, such as `main`; all by default. */
                campaign?: string;
                wheel?: string;
                prizeId?: string;
                /** @description Played at or after this time. */
                from?: string;
                /** @description Played before this time. */
                to?: string;
                state?: "held" | "won" | "claimed" | "redeemed" | "cancelled" | "expired" | "refused";
                /** @description The whole code, from a pool, with letters A to Z in any case, or the `number` of a prize. Spaces around it are ignored. A fixed code is the same for everyone, so it finds nothing. */
                code?: string;
            };
        };
        responses: {
            /** @description Success, with `PrizePage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrizePage"];
                };
            };
        };
    };
    readPrize: {
        parameters: {
            query?: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
            };
            path: {
                /** @description The id of the play, unique among the player's plays. */
                playId: string;
            };
        };
        responses: {
            /** @description Success, with `Prize`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prize"];
                };
            };
        };
    };
    claimPrize: {
        parameters: {
            query?: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
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
                /** @description The id of the play, unique among the player's plays. */
                playId: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ClaimPrizeBody"];
            };
        };
        responses: {
            /** @description Success, with `Prize`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prize"];
                };
            };
        };
    };
    redeemPrize: {
        parameters: {
            query?: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
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
                /** @description The id of the play, unique among the player's plays. */
                playId: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RedeemPrizeBody"];
            };
        };
        responses: {
            /** @description Success, with `Prize`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prize"];
                };
            };
        };
    };
    cancelPrize: {
        parameters: {
            query?: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
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
                /** @description The id of the play, unique among the player's plays. */
                playId: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelPrizeBody"];
            };
        };
        responses: {
            /** @description Success, with `Prize`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prize"];
                };
            };
        };
    };
    reverseRedemption: {
        parameters: {
            query?: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
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
                /** @description The id of the play, unique among the player's plays. */
                playId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReverseRedemptionBody"];
            };
        };
        responses: {
            /** @description Success, with `Prize`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prize"];
                };
            };
        };
    };
    releasePrize: {
        parameters: {
            query?: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
            };
            path: {
                /** @description The id of the play, unique among the player's plays. */
                playId: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReleasePrizeBody"];
            };
        };
        responses: {
            /** @description Success, with `Prize`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prize"];
                };
            };
        };
    };
    refusePrize: {
        parameters: {
            query?: {
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
            };
            path: {
                /** @description The id of the play, unique among the player's plays. */
                playId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefusePrizeBody"];
            };
        };
        responses: {
            /** @description Success, with `Prize`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prize"];
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
                /** @description JSON by default. `xlsx` is a workbook. */
                format?: "json" | "csv" | "xlsx";
                /** @description Between the cells of CSV; a comma by default. Excel expects a semicolon where numbers have a decimal comma. */
                separator?: "comma" | "semicolon";
                /** @description CSV begins with a byte order mark, so that Excel reads it as UTF-8. */
                bom?: true;
                /** @description Numbers in CSV have a decimal comma, as Excel expects in many countries. */
                decimal?: "comma";
            };
        };
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportDaysAnswer"];
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
                /** @description JSON by default. `xlsx` is a workbook. */
                format?: "json" | "csv" | "xlsx";
                /** @description Between the cells of CSV; a comma by default. Excel expects a semicolon where numbers have a decimal comma. */
                separator?: "comma" | "semicolon";
                /** @description CSV begins with a byte order mark, so that Excel reads it as UTF-8. */
                bom?: true;
                /** @description Numbers in CSV have a decimal comma, as Excel expects in many countries. */
                decimal?: "comma";
                /** @description Only this campaign, such as `main`; all by default. */
                campaign?: string;
                /** @description Only this wheel; all by default. */
                wheel?: string;
            };
        };
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportPrizesAnswer"];
                };
            };
        };
    };
    reportPerformance: {
        parameters: {
            query?: {
                /** @description The first day; 30 days back by default. */
                from?: string;
                /** @description The last day; today by default. */
                to?: string;
                /** @description JSON by default. `xlsx` is a workbook. */
                format?: "json" | "csv" | "xlsx";
                /** @description Between the cells of CSV; a comma by default. Excel expects a semicolon where numbers have a decimal comma. */
                separator?: "comma" | "semicolon";
                /** @description CSV begins with a byte order mark, so that Excel reads it as UTF-8. */
                bom?: true;
                /** @description Numbers in CSV have a decimal comma, as Excel expects in many countries. */
                decimal?: "comma";
                /** @description Only this campaign, such as `main`; all by default. */
                campaign?: string;
                /** @description Only this wheel; all by default. */
                wheel?: string;
                /** @description Compares with as many days just before (`previous`), or with the same days a week or a year before. */
                compare?: "previous" | "week" | "year";
            };
        };
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportPerformanceAnswer"];
                };
            };
        };
    };
    reportFunnel: {
        parameters: {
            query?: {
                /** @description The first day; 30 days back by default. */
                from?: string;
                /** @description The last day; today by default. */
                to?: string;
                /** @description JSON by default. `xlsx` is a workbook. */
                format?: "json" | "csv" | "xlsx";
                /** @description Between the cells of CSV; a comma by default. Excel expects a semicolon where numbers have a decimal comma. */
                separator?: "comma" | "semicolon";
                /** @description CSV begins with a byte order mark, so that Excel reads it as UTF-8. */
                bom?: true;
                /** @description Numbers in CSV have a decimal comma, as Excel expects in many countries. */
                decimal?: "comma";
                /** @description Only this campaign, such as `main`; all by default. */
                campaign?: string;
                /** @description Only this wheel; all by default. */
                wheel?: string;
                /** @description Compares with as many days just before (`previous`), or with the same days a week or a year before. */
                compare?: "previous" | "week" | "year";
            };
        };
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportFunnelAnswer"];
                };
            };
        };
    };
    reportCohorts: {
        parameters: {
            query?: {
                /** @description The first day; 30 days back by default. */
                from?: string;
                /** @description The last day; today by default. */
                to?: string;
                /** @description JSON by default. `xlsx` is a workbook. */
                format?: "json" | "csv" | "xlsx";
                /** @description Between the cells of CSV; a comma by default. Excel expects a semicolon where numbers have a decimal comma. */
                separator?: "comma" | "semicolon";
                /** @description CSV begins with a byte order mark, so that Excel reads it as UTF-8. */
                bom?: true;
                /** @description Numbers in CSV have a decimal comma, as Excel expects in many countries. */
                decimal?: "comma";
                /** @description Only this campaign, such as `main`; all by default. */
                campaign?: string;
                /** @description Only this wheel; all by default. */
                wheel?: string;
            };
        };
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportCohortsAnswer"];
                };
            };
        };
    };
    readEvents: {
        parameters: {
            query?: {
                /**
                 * @description The number of the last event that you have: `next` of the answer before. If 0 or omitted, reading starts with the oldest event in the log.
                 * @example 0
                 */
                after?: number;
                /** @description Only these types, separated by commas. All by default. */
                types?: components["schemas"]["EventType"][];
                /** @description How many at most; 100 by default. */
                limit?: number;
                /** @description Seconds to wait for an event if there is none yet. */
                wait?: number;
            };
        };
        responses: {
            /** @description Success, with `ReadEventsAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadEventsAnswer"];
                };
            };
        };
    };
    searchEvents: {
        parameters: {
            query?: {
                /** @description How many at most; 50 by default. A page may hold fewer; continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Only these types, separated by commas. All by default. */
                types?: components["schemas"]["EventType"][];
                /**
                 * @description Your identifier of the player, compared byte for byte: no trimming, no folding of case, no normalising. Any Unicode characters but control characters and lone surrogates, and no white space at either end.
                 * @example alice
                 */
                playerId?: string;
                /** @description Only events of this campaign, such as `main`, or of links to the lobby (`*`). Events that belong to no campaign are left out. */
                campaign?: string;
                /** @description Happened then or later. */
                from?: string;
                /** @description Happened before then. */
                to?: string;
            };
        };
        responses: {
            /** @description Success, with `EventSearch`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSearch"];
                };
            };
        };
    };
    readEvent: {
        parameters: {
            path: {
                /**
                 * @description The id of an event, or its number.
                 * @example evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0
                 */
                event: string;
            };
        };
        responses: {
            /** @description Success, with `Event`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
        };
    };
    createEventTicket: {
        parameters: {
        };
        responses: {
            /** @description Success, with `CreateEventTicketAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateEventTicketAnswer"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description How many at most; 500 by default. Continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
            };
        };
        responses: {
            /** @description Success, with `WebhookPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            header?: {
                /**
                 * @description Makes the call safe to repeat: the same call with the same key makes no second webhook, for as long as the first exists. For a day, and until the secret is rotated, the same caller gets the first answer, secret included. 1 to 255 visible ASCII characters.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description Success, with `WebhookWithSecret`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    readWebhook: {
        parameters: {
            path: {
                webhook: string;
            };
        };
        responses: {
            /** @description Success, with `Webhook`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            path: {
                webhook: string;
            };
        };
        responses: {
            /** @description Success, with `DeleteWebhookAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteWebhookAnswer"];
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            path: {
                webhook: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeWebhookBody"];
            };
        };
        responses: {
            /** @description Success, with `Webhook`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    pauseWebhook: {
        parameters: {
            path: {
                webhook: string;
            };
        };
        responses: {
            /** @description Success, with `Webhook`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    resumeWebhook: {
        parameters: {
            path: {
                webhook: string;
            };
        };
        responses: {
            /** @description Success, with `Webhook`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            path: {
                webhook: string;
            };
        };
        responses: {
            /** @description Success, with `WebhookWithSecret`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            path: {
                webhook: string;
            };
        };
        responses: {
            /** @description Success, with `TestWebhookAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWebhookAnswer"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                state?: "waiting" | "dead";
                /** @description The `next` of the page before. */
                cursor?: number;
                /** @description The same as `cursor`. */
                after?: number;
                limit?: number;
            };
            path: {
                webhook: string;
            };
        };
        responses: {
            /** @description Success, with `ListWebhookDeliveriesAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhookDeliveriesAnswer"];
                };
            };
        };
    };
    listWebhookAttempts: {
        parameters: {
            query?: {
                /** @description Only attempts for this event. */
                seq?: number;
                /** @description The `next` of the page before. */
                cursor?: number;
                /** @description The same as `cursor`. */
                before?: number;
                limit?: number;
            };
            path: {
                webhook: string;
            };
        };
        responses: {
            /** @description Success, with `ListWebhookAttemptsAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhookAttemptsAnswer"];
                };
            };
        };
    };
    countResend: {
        parameters: {
            query?: {
                /** @description `dead`: events that were given up. `all`: whatever the log still has, also what was taken. */
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
                /** @description Events that happened, or were given up, at this time or later. */
                since?: string;
            };
            path: {
                webhook: string;
            };
        };
        responses: {
            /** @description Success, with `ResendCount`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendCount"];
                };
            };
        };
    };
    resendEvents: {
        parameters: {
            header?: {
                /**
                 * @description Makes the call safe to repeat: the same call with the same key gets the first resend, and queues nothing again. 1 to 255 visible ASCII characters.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
            };
            path: {
                webhook: string;
            };
        };
        /** @description At least one of `seq`, `fromSeq`, `toSeq` and `since`. `seq` cannot be combined with the others. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "fromSeq": 1
                 *     }
                 */
                "application/json": components["schemas"]["ResendEventsBody"];
            };
        };
        responses: {
            /** @description Success, with `ResendEventsAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendEventsAnswer"];
                };
            };
        };
    };
    listResends: {
        parameters: {
            path: {
                webhook: string;
            };
        };
        responses: {
            /** @description Success, with `ListResendsAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListResendsAnswer"];
                };
            };
        };
    };
    readResend: {
        parameters: {
            path: {
                webhook: string;
                resend: string;
            };
        };
        responses: {
            /** @description Success, with `ReadResendAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadResendAnswer"];
                };
            };
        };
    };
    readMerchant: {
        parameters: {
        };
        responses: {
            /** @description Success, with `Merchant`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Merchant"];
                };
            };
        };
    };
    changeMerchant: {
        parameters: {
            header?: {
                "if-match"?: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeMerchantBody"];
            };
        };
        responses: {
            /** @description Success, with `Merchant`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Merchant"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description How many at most; 500 by default. Continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
            };
        };
        responses: {
            /** @description Success, with `ServiceTokenPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceTokenPage"];
                };
            };
        };
    };
    issueToken: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssueTokenBody"];
            };
        };
        responses: {
            /** @description Success, with `IssueTokenAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueTokenAnswer"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            path: {
                tokenId: string;
            };
        };
        responses: {
            /** @description Success, with `ServiceToken`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceToken"];
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description How many at most; 50 by default. A page may hold fewer; continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
                action?: string;
                subjectKind?: string;
                /** @description The exact id of the changed player, wheel, token, webhook, play … */
                subject?: string;
                actorId?: string;
                /** @description A part of the actor's name or id, in any case. */
                actor?: string;
                /** @description At or after this time. */
                from?: string;
                /** @description Before this time. */
                to?: string;
            };
        };
        responses: {
            /** @description Success, with `AuditEntryPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
        };
    };
    listRecentRequests: {
        parameters: {
            query?: {
                only?: "refused";
                limit?: number;
            };
        };
        responses: {
            /** @description Success, with `ListRecentRequestsAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRecentRequestsAnswer"];
                };
            };
        };
    };
    listSeals: {
        parameters: {
            query?: {
                /** @description How many at most; 50 by default. A page may hold fewer; continue while there is a `next`. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them. */
                fields?: string;
            };
        };
        responses: {
            /** @description Success, with `SealPage`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SealPage"];
                };
            };
        };
    };
    readTestMerchant: {
        parameters: {
            query?: {
                /**
                 * @description The name of a test merchant. Without it, the one that has none.
                 * @example ci-1
                 */
                test?: string;
            };
        };
        responses: {
            /** @description Success, with `TestMerchant`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestMerchant"];
                };
            };
        };
    };
    createTestMerchant: {
        parameters: {
            query?: {
                /**
                 * @description The name of a test merchant. Without it, the one that has none.
                 * @example ci-1
                 */
                test?: string;
            };
        };
        responses: {
            /** @description Success, with `TestMerchant`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestMerchant"];
                };
            };
        };
    };
    openTestMerchant: {
        parameters: {
            query?: {
                /**
                 * @description The name of a test merchant. Without it, the one that has none.
                 * @example ci-1
                 */
                test?: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OpenTestMerchantBody"];
            };
        };
        responses: {
            /** @description Success, with `TestMerchantWithToken`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestMerchantWithToken"];
                };
            };
        };
    };
    removeTestMerchant: {
        parameters: {
            query?: {
                /**
                 * @description The name of a test merchant. Without it, the one that has none.
                 * @example ci-1
                 */
                test?: string;
            };
        };
        responses: {
            /** @description Success, with `TestMerchant`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestMerchant"];
                };
            };
        };
    };
    listTestMerchants: {
        parameters: {
        };
        responses: {
            /** @description Success, with `TestMerchants`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestMerchants"];
                };
            };
        };
    };
    readWheelPromotion: {
        parameters: {
            query?: {
                /**
                 * @description The name of a test merchant. Without it, the one that has none.
                 * @example ci-1
                 */
                test?: string;
                /** @description True if it is to be published at once. */
                publish?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            /** @description Success, with `Promotion`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotion"];
                };
            };
        };
    };
    promoteWheel: {
        parameters: {
            query?: {
                /**
                 * @description The name of a test merchant. Without it, the one that has none.
                 * @example ci-1
                 */
                test?: string;
            };
            header: {
                /** @description The ETag of the promotion. */
                "if-match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PromoteWheelBody"];
            };
        };
        responses: {
            /** @description Success, with `Promoted`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promoted"];
                };
            };
        };
    };
    readCampaignPromotion: {
        parameters: {
            query?: {
                /**
                 * @description The name of a test merchant. Without it, the one that has none.
                 * @example ci-1
                 */
                test?: string;
                /** @description True if it is to be published at once. */
                publish?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            /** @description Success, with `Promotion`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotion"];
                };
            };
        };
    };
    promoteCampaign: {
        parameters: {
            query?: {
                /**
                 * @description The name of a test merchant. Without it, the one that has none.
                 * @example ci-1
                 */
                test?: string;
            };
            header: {
                /** @description The ETag of the promotion. */
                "if-match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PromoteCampaignBody"];
            };
        };
        responses: {
            /** @description Success, with `Promoted`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promoted"];
                };
            };
        };
    };
    readTestClock: {
        parameters: {
        };
        responses: {
            /** @description Success, with `TestClock`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClock"];
                };
            };
        };
    };
    setTestClock: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetTestClockBody"];
            };
        };
        responses: {
            /** @description Success, with `TestClock`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClock"];
                };
            };
        };
    };
    resetTestMerchant: {
        parameters: {
        };
        responses: {
            /** @description Success, with `TestMerchant`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestMerchant"];
                };
            };
        };
    };
    sendSampleEvent: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendSampleEventBody"];
            };
        };
        responses: {
            /** @description Success, with `SendSampleEventAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendSampleEventAnswer"];
                };
            };
        };
    };
    playInTest: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlayInTestBody"];
            };
        };
        responses: {
            /** @description Success, with `PlayInTestAnswer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayInTestAnswer"];
                };
            };
        };
    };
}
