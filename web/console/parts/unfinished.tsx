/** Fields report here that their text is not valid yet, so that the form is neither sent nor shown as saved. */
import { createContext, use, useCallback, useId, useLayoutEffect, useState } from 'react'

type Report = (fieldId: string, isUnfinished: boolean) => void

const UnfinishedContext = createContext<Report>(() => undefined)
export const CollectUnfinished = UnfinishedContext.Provider

/** For a component that saves or sends: pass `report` to `CollectUnfinished` around the fields. */
export function useUnfinished(): { hasUnfinished: boolean; report: Report } {
  const [fieldIds, setFieldIds] = useState<readonly string[]>([])
  const report = useCallback<Report>((fieldId, isUnfinished) => {
    setFieldIds((now) => [...now.filter((one) => one !== fieldId), ...(isUnfinished ? [fieldId] : [])])
  }, [])
  return { hasUnfinished: fieldIds.length > 0, report }
}

/** For a part of a form: its fields are reported to the form, too. */
export function useUnfinishedPart(): { hasUnfinished: boolean; report: Report } {
  const reportToForm = use(UnfinishedContext)
  const { hasUnfinished, report } = useUnfinished()
  const reportToBoth = useCallback<Report>(
    (fieldId, isUnfinished) => {
      report(fieldId, isUnfinished)
      reportToForm(fieldId, isUnfinished)
    },
    [report, reportToForm],
  )
  return { hasUnfinished, report: reportToBoth }
}

export function useReportUnfinished(isUnfinished: boolean): void {
  const report = use(UnfinishedContext)
  const fieldId = useId()
  useLayoutEffect(() => {
    if (!isUnfinished) return undefined
    report(fieldId, true)
    return () => report(fieldId, false)
  }, [report, fieldId, isUnfinished])
}

/** Moves the focus to the first invalid field. */
export function focusUnfinished(within: ParentNode = document): void {
  within.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
