// Made from the code of the server by `npm run client:types`. Do not edit.
import type { EventData } from './event-data.ts'

export const sampleData: EventData = {
  "player.created": {
    "playerId": "alice"
  },
  "spins.granted": {
    "playerId": "alice",
    "amount": 5,
    "kind": "grant",
    "oldBalance": 2,
    "newBalance": 7,
    "idempotencyKey": "order-4711",
    "reason": "a bad day",
    "by": "staff:anna@example.com",
    "campaign": "summer",
    "expiresAt": "2026-12-01T12:00:00.000Z"
  },
  "spins.corrected": {
    "playerId": "alice",
    "amount": -2,
    "oldBalance": 2,
    "newBalance": 7,
    "reason": "shown twice",
    "by": "token:acme-3f9c",
    "campaign": "summer"
  },
  "spins.expiring": {
    "playerId": "alice",
    "lot": 12,
    "amount": 5,
    "expiresAt": "2026-12-01T12:00:00.000Z",
    "balance": 7,
    "campaign": "summer"
  },
  "spins.expired": {
    "playerId": "alice",
    "amount": 5,
    "oldBalance": 2,
    "newBalance": 7,
    "lot": 12,
    "expiresAt": "2026-12-01T12:00:00.000Z",
    "campaign": "summer"
  },
  "streak.changed": {
    "playerId": "alice",
    "oldStreak": 6,
    "newStreak": 7,
    "bestStreak": 12,
    "extraSpins": 3,
    "campaign": "summer"
  },
  "entry.created": {
    "playerId": "alice",
    "entryId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72",
    "consents": [],
    "isVerified": true,
    "campaign": "summer"
  },
  "entry.verified": {
    "playerId": "alice",
    "entryId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72",
    "consents": [],
    "campaign": "summer"
  },
  "entry.refused": {
    "reason": "entry_known",
    "campaign": "summer"
  },
  "entry.answered": {
    "playerId": "alice",
    "entryId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72",
    "consents": [],
    "asked": "toClaim",
    "campaign": "summer"
  },
  "consent.withdrawn": {
    "playerId": "alice",
    "entryId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72",
    "consents": [
      {
        "field": "news",
        "purpose": "marketing"
      }
    ],
    "campaign": "summer"
  },
  "link.created": {
    "playerId": "alice",
    "linkId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a71",
    "expiresAt": "2026-12-01T12:00:00.000Z",
    "by": "staff:anna@example.com",
    "campaign": "summer",
    "opens": "wallet"
  },
  "link.opened": {
    "playerId": "alice",
    "linkId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a71",
    "campaign": "summer"
  },
  "player.limited": {
    "playerId": "alice",
    "limit": "plays",
    "perMinute": 120
  },
  "player.blocked": {
    "playerId": "alice",
    "by": "token:acme-3f9c"
  },
  "player.unblocked": {
    "playerId": "alice",
    "by": "token:acme-3f9c"
  },
  "play.completed": {
    "playerId": "alice",
    "playId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70",
    "playNo": 12,
    "wheel": "main",
    "wheelVersion": 3,
    "segment": 4,
    "label": "Free coffee",
    "won": true,
    "prize": {
      "prizeId": "coffee",
      "kind": "pool",
      "label": "Free coffee"
    },
    "fallbackReason": "out_of_stock",
    "oldBalance": 2,
    "newBalance": 1,
    "campaign": "summer"
  },
  "play.refused": {
    "playerId": "alice",
    "playId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70",
    "reason": "play_outdated"
  },
  "prize.held": {
    "playerId": "alice",
    "playId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70",
    "prizeId": "coffee",
    "wheel": "main",
    "label": "Free coffee",
    "kind": "pool",
    "heldUntil": "2026-12-01T12:00:00.000Z",
    "campaign": "summer"
  },
  "prize.released": {
    "playerId": "alice",
    "playId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70",
    "prizeId": "coffee",
    "by": "token:acme-3f9c",
    "campaign": "summer"
  },
  "prize.refused": {
    "playerId": "alice",
    "playId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70",
    "prizeId": "coffee",
    "by": "token:acme-3f9c",
    "campaign": "summer",
    "reason": "terms_not_met"
  },
  "prize.won": {
    "playerId": "alice",
    "playId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70",
    "prizeId": "coffee",
    "wheel": "main",
    "label": "Free coffee",
    "kind": "pool",
    "code": "CAFE-7Q2X",
    "claimBefore": "2026-12-01T12:00:00.000Z",
    "campaign": "summer"
  },
  "prize.claimed": {
    "playerId": "alice",
    "playId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70",
    "prizeId": "coffee",
    "by": "token:acme-3f9c",
    "campaign": "summer"
  },
  "prize.redeemed": {
    "playerId": "alice",
    "playId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70",
    "prizeId": "coffee",
    "by": "token:acme-3f9c",
    "campaign": "summer"
  },
  "prize.redemption_reversed": {
    "playerId": "alice",
    "playId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70",
    "prizeId": "coffee",
    "by": "token:acme-3f9c",
    "campaign": "summer",
    "reason": "wrong customer"
  },
  "prize.cancelled": {
    "playerId": "alice",
    "playId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70",
    "prizeId": "coffee",
    "by": "token:acme-3f9c",
    "campaign": "summer",
    "reason": "fraud"
  },
  "prize.expired": {
    "playerId": "alice",
    "playId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70",
    "prizeId": "coffee",
    "campaign": "summer"
  },
  "prize.stock_low": {
    "wheel": "main",
    "prizeId": "coffee",
    "label": "Free coffee",
    "left": 3
  },
  "prize.stock_out": {
    "wheel": "main",
    "prizeId": "coffee",
    "label": "Free coffee",
    "left": 3
  },
  "wheel.published": {
    "wheel": "main",
    "version": 3
  },
  "wheel.paused": {
    "wheel": "main"
  },
  "wheel.resumed": {
    "wheel": "main"
  },
  "wheel.drifted": {
    "wheel": "main",
    "prizeId": "coffee",
    "label": "Free coffee",
    "draws": 412,
    "expected": 250,
    "from": "2026-12-01T12:00:00.000Z"
  },
  "wheel.publication_failed": {
    "wheel": "main",
    "publishAt": "2026-12-01T12:00:00.000Z",
    "by": "token:acme-3f9c",
    "errors": [
      {
        "pointer": "/segments/0/prize/pool",
        "detail": "has no codes left"
      }
    ]
  },
  "campaign.created": {
    "campaign": "summer",
    "name": "Summer sale",
    "wheel": "main",
    "purse": "summer",
    "opensAt": "2026-12-01T12:00:00.000Z",
    "closesAt": "2026-12-01T12:00:00.000Z",
    "by": "token:acme-3f9c"
  },
  "campaign.changed": {
    "campaign": "summer",
    "name": "Summer sale",
    "wheel": "main",
    "purse": "summer",
    "opensAt": "2026-12-01T12:00:00.000Z",
    "closesAt": "2026-12-01T12:00:00.000Z",
    "changed": [
      "name",
      "closesAt"
    ],
    "by": "token:acme-3f9c"
  },
  "campaign.change_failed": {
    "campaign": "summer",
    "wheel": "autumn",
    "changeAt": "2026-12-01T12:00:00.000Z",
    "by": "token:acme-3f9c",
    "reason": "The wheel is not published."
  },
  "campaign.paused": {
    "campaign": "summer",
    "by": "token:acme-3f9c"
  },
  "campaign.resumed": {
    "campaign": "summer",
    "by": "token:acme-3f9c"
  },
  "campaign.opened": {
    "campaign": "summer",
    "opensAt": "2026-12-01T12:00:00.000Z",
    "closesAt": "2026-12-01T12:00:00.000Z"
  },
  "campaign.closed": {
    "campaign": "summer",
    "opensAt": "2026-12-01T12:00:00.000Z",
    "closesAt": "2026-12-01T12:00:00.000Z"
  },
  "campaign.archived": {
    "campaign": "summer",
    "by": "token:acme-3f9c"
  },
  "campaign.restored": {
    "campaign": "summer",
    "by": "token:acme-3f9c"
  },
  "token.issued": {
    "tokenId": "acme-3f9c",
    "name": "shop server",
    "scopes": [
      "spins",
      "links"
    ],
    "expiresAt": "2026-12-01T12:00:00.000Z",
    "campaign": "summer"
  },
  "token.revoked": {
    "tokenId": "acme-3f9c",
    "name": "shop server",
    "scopes": [
      "spins",
      "links"
    ],
    "deadFrom": "2026-12-01T12:00:00.000Z"
  },
  "message.sent": {
    "playerId": "alice",
    "messageId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a73",
    "kind": "won",
    "campaign": "summer"
  },
  "message.failed": {
    "playerId": "alice",
    "messageId": "0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a73",
    "kind": "won",
    "reason": "address_dead",
    "campaign": "summer"
  },
  "webhook.disabled": {
    "webhookId": "wh_1",
    "url": "https://shop.example/hooks?…",
    "reason": "answered 410 Gone"
  },
  "webhook.test": {}
}
