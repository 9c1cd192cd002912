/** Fields report here that their text is no valid value yet, so that nothing around them claims to be saved or is sent. */
import { createContext, use, useCallback, useId, useLayoutEffect, useState } from 'react'

type Report = (fieldId: string, isUnfinished: boolean) => void

const UnfinishedContext = createContext<Report>(() => undefined)
export const CollectUnfinished = UnfinishedContext.Provider

/** For whatever saves or sends: give `report` to `CollectUnfinished` around the fields. */
export function useUnfinished(): { hasUnfinished: boolean; report: Report } {
  const [fieldIds, setFieldIds] = useState<readonly string[]>([])
  const report = useCallback<Report>((fieldId, isUnfinished) => {
    setFieldIds((now) => [...now.filter((one) => one !== fieldId), ...(isUnfinished ? [fieldId] : [])])
  }, [])
  return { hasUnfinished: fieldIds.length > 0, report }
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

/** Brings the person to the first field that needs attention. */
export function focusUnfinished(within: ParentNode = document): void {
  within.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
