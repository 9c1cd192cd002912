/**
 * Saves a draft shortly after each change, always against the revision that was read, and at once when the person
 * leaves the editor. If someone else has saved meanwhile, saving stops and the person decides. The state is `saved` only
 * while the draft on the screen is the stored one.
 *
 *   saved ──change──► waiting ──► saving ──► saved
 *                                    ├──► invalid   (the server lists the errors; the next change retries)
 *                                    ├──► failed    (retried with the next change or by hand)
 *                                    └──► conflict  (until the person decides)
 *
 *   saved ──a field is invalid──► unfinished  (the rest is saved)
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { WheelAnswer } from '../../../../src/http/answers/wheels.ts'
import type { FieldError } from '../../../../src/http/answers/shapes.ts'
import type { WheelDocument } from '../../../../src/wheels/wheel-document.ts'
import { Problem } from '../../api.ts'
import type { Api } from '../../session.tsx'

export type { FieldError }
export type Saving =
  | { state: 'saved' }
  | { state: 'waiting' }
  | { state: 'saving' }
  | { state: 'invalid'; errors: readonly FieldError[] }
  | { state: 'failed'; error: Error }
  | { state: 'conflict' }
  | { state: 'unfinished' }

const pauseMs = 600
const waiting: Saving = { state: 'waiting' }
const unfinished: Saving = { state: 'unfinished' }

export function useSaving(options: {
  api: Api
  slug: string
  draft: WheelDocument
  etag: string | null
  isReadOnly: boolean
  hasUnfinished: boolean
  onSaved: () => void
}) {
  const { api, slug, draft, isReadOnly } = options
  const [saving, setSaving] = useState<Saving>({ state: 'saved' })
  const etag = useRef(options.etag)
  /** Null after a failure, when it is unknown what the server has stored. */
  const saved = useRef<WheelDocument | null>(draft)
  const isBusy = useRef(false)
  const newest = useRef(draft)
  newest.current = draft
  const onSaved = useRef(options.onSaved)
  onSaved.current = options.onSaved

  const save = useCallback(async (): Promise<boolean> => {
    if (isBusy.current) return false
    isBusy.current = true
    try {
      // Changes made during a save are saved right after it.
      while (saved.current !== newest.current) {
        const now = newest.current
        setSaving({ state: 'saving' })
        const headers: Record<string, string> = etag.current === null ? {} : { 'If-Match': etag.current }
        const answer = await api.put<WheelAnswer>(`/api/v1/wheels/${slug}`, now, headers)
        etag.current = answer.etag
        saved.current = now
      }
      setSaving({ state: 'saved' })
      onSaved.current()
      return true
    } catch (error) {
      const state = stateFor(error)
      if (state.state === 'failed') saved.current = null
      setSaving(state)
      return false
    } finally {
      isBusy.current = false
    }
  }, [api, slug])

  const isConflict = saving.state === 'conflict'
  useEffect(() => {
    if (isReadOnly || isConflict) return undefined
    if (saved.current === draft) {
      // The change was undone before it was saved, or the draft is back at the stored state.
      setSaving((now) => (now.state === 'saving' || now.state === 'saved' ? now : { state: 'saved' }))
      return undefined
    }
    // The same object at each key: a new one would draw the editor twice.
    setSaving(waiting)
    const timer = setTimeout(() => void save(), pauseMs)
    return () => clearTimeout(timer)
  }, [draft, isReadOnly, isConflict, save])

  const saveOnLeaving = useRef(() => undefined as unknown)
  saveOnLeaving.current = () => !isReadOnly && !isConflict && saved.current !== newest.current && save()
  useEffect(() => () => void saveOnLeaving.current(), [])

  const shown = shownState(saving, { isSaved: saved.current === draft, hasUnfinished: options.hasUnfinished })
  useEffect(() => {
    const isOpen = shown.state !== 'saved'
    if (!isOpen || isReadOnly) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [shown.state, isReadOnly])

  /** Makes a document that was just read from the server the saved one. */
  const rebase = useCallback((document: WheelDocument, tag: string | null) => {
    etag.current = tag
    saved.current = document
    setSaving({ state: 'saved' })
  }, [])

  /** Overwrites the draft that someone else has saved. */
  const overwrite = useCallback(
    (tag: string | null) => {
      etag.current = tag
      setSaving(waiting)
      void save()
    },
    [save],
  )
  /** The revision that was saved last. */
  const tagOf = useCallback(() => etag.current, [])
  return { saving: shown, save, rebase, overwrite, tagOf }
}

/** The state in React lags behind the typed text, so the shown state is derived from both. */
function shownState(kept: Saving, now: { isSaved: boolean; hasUnfinished: boolean }): Saving {
  if (kept.state !== 'saved') return kept
  if (!now.isSaved) return waiting
  return now.hasUnfinished ? unfinished : kept
}

function stateFor(error: unknown): Saving {
  if (error instanceof Problem && error.code === 'draft_changed') return { state: 'conflict' }
  if (error instanceof Problem && error.errors.length > 0) return { state: 'invalid', errors: error.errors }
  return { state: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
}
