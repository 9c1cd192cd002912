/**
 * The states of a visitor's page before the game, which then goes on as after a link (states/states.ts):
 *
 *   loading ──► form ──press──► sending ──► code ──press──► proving ──► the game
 *      │          ▲                │  └──────── where no code is asked ────────▲
 *      │          │                ▼                                            │
 *      │          │              unsent              no answer; sent again unchanged
 *      │          └── known | limited | checkFailed  after a press; nothing that was typed is lost
 *      │
 *      ├──► back ──press──► the game                 this browser entered before
 *      ├──► closed | over | paused | full | limited  looks again by itself
 *      ├──► offline | down                           the same
 *      └──► missing | insecure | tooYoung            final
 */
export type EntryState =
  | 'form'
  | 'sending'
  | 'unsent'
  | 'code'
  | 'proving'
  | 'back'
  | 'known'
  | 'tooYoung'
  | 'full'
  | 'missing'
  | 'limited'
  | 'checkFailed'
  | 'insecure'
