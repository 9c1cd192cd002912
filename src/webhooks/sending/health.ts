import {
  webhookFailuresMax,
  webhookHopelessSeconds,
  webhookSlowMs,
  webhookSlowSeconds,
} from '../../limits.ts'
import { probePauseMs } from './retry-schedule.ts'

/**
 * The health of a receiver.
 *
 *   flowing ── webhookFailuresMax failures in a row ──► held ── pause ends ──► probing ── success ──► flowing
 *      └────── the receiver asks for a pause ─────────►  ▲ └────── failure, longer pause ──────┘
 *
 * While it is held, nothing is sent; while it is probing, one event at a time. So a receiver that is down costs no rows
 * and no timeouts for the events that wait. After three days with nothing but failures, the webhook is disabled.
 *
 * A receiver can also be slow, in any of these states. Slow receivers have their own slots (see slots.ts).
 */
export type Health = {
  failureCount: number
  failingSince: Date | null
  heldUntil: Date | null
  probeCount: number
  /** Set after a slow answer: until then, the receiver counts as slow. */
  slowUntil: Date | null
}

export type Mode = 'flowing' | 'held' | 'probing'

export const healthy: Health = {
  failureCount: 0,
  failingSince: null,
  heldUntil: null,
  probeCount: 0,
  slowUntil: null,
}

export function modeOf(health: Health, now: Date): Mode {
  if (health.heldUntil !== null && health.heldUntil > now) return 'held'
  return health.failureCount >= webhookFailuresMax ? 'probing' : 'flowing'
}

/**
 * `mode` is the mode when the attempt began. Requests that were still in flight when the receiver was held are not
 * probes.
 */
export function afterFailure(
  health: Health,
  failure: { mode: Mode; holdSeconds: number | undefined; now: Date; chance: number },
): Health {
  const failureCount = health.failureCount + 1
  const probeCount = health.probeCount + (failure.mode === 'probing' ? 1 : 0)
  const isTripped = failureCount === webhookFailuresMax || failure.mode === 'probing'
  const pausesMs = [
    isTripped ? probePauseMs(probeCount, failure.chance) : 0,
    (failure.holdSeconds ?? 0) * 1000,
    (health.heldUntil?.getTime() ?? 0) - failure.now.getTime(),
  ]
  const pauseMs = Math.max(...pausesMs)
  return {
    failureCount,
    probeCount,
    failingSince: health.failingSince ?? failure.now,
    heldUntil: pauseMs > 0 ? new Date(failure.now.getTime() + pauseMs) : null,
    slowUntil: health.slowUntil,
  }
}

/** A success resets the failure count. A pause that the receiver asked for stays in force. */
export function afterSuccess(health: Health, now: Date): Health {
  const isHeld =
    health.heldUntil !== null && health.heldUntil > now && health.failureCount < webhookFailuresMax
  return { ...healthy, heldUntil: isHeld ? health.heldUntil : null, slowUntil: health.slowUntil }
}

/** `waitedMs`: the time that an answer took, or has taken so far. */
export function afterWaiting(health: Health, { waitedMs, now }: { waitedMs: number; now: Date }): Health {
  if (waitedMs < webhookSlowMs) return health
  return { ...health, slowUntil: new Date(now.getTime() + webhookSlowSeconds * 1000) }
}

export function isSlow(health: Health, now: Date): boolean {
  return health.slowUntil !== null && health.slowUntil > now
}

export function isHopeless(health: Health, now: Date): boolean {
  if (health.failingSince === null) return false
  return now.getTime() - health.failingSince.getTime() >= webhookHopelessSeconds * 1000
}
