import { Paper, Stack, Title } from '@mantine/core'
import { Switch } from '../../../parts/inputs.tsx'
import { MoneyField } from '../../../parts/number-field.tsx'
import { t } from '../../../texts.ts'
import { changed } from '../draft/change.ts'
import { errorAt } from '../checks.tsx'
import type { EditorProps } from '../editor-props.ts'
import { newPeriods, ScheduleFields } from './pace-fields.tsx'

/** What all prizes together may cost, released over time. */
export function BudgetPanel({ wheel, onChange, isReadOnly, errors }: EditorProps) {
  const { budget } = wheel
  const set = (next: typeof budget) => onChange(changed(wheel, { budget: next }), 'budget')
  return (
    <Paper component="section" aria-labelledby="budget-title">
      <Title order={2} id="budget-title" mb="sm">
        {t('field.budget')}
      </Title>
      <fieldset disabled={isReadOnly} className="plain">
        <Stack gap="sm">
          <Switch
            label={t('budget.switch')}
            description={t('budget.switchHint')}
            checked={budget !== undefined}
            disabled={isReadOnly}
            onChange={(event) =>
              set(event.currentTarget.checked ? { amount: 100, periods: newPeriods() } : undefined)
            }
          />
          {budget === undefined ? null : (
            <>
              <MoneyField
                label={t('budget.amount')}
                value={budget.amount}
                min={0.01}
                max={10_000_000}
                maw={220}
                error={errorAt(errors, '/budget/amount') ?? errorAt(errors, '/budget')}
                onChange={(amount) => amount !== undefined && set({ ...budget, amount })}
              />
              <ScheduleFields
                schedule={budget}
                pointer="/budget"
                zone={wheel.timeZone}
                errors={errors}
                isReadOnly={isReadOnly}
                onChange={(changes) => set(changed(budget, changes))}
              />
            </>
          )}
        </Stack>
      </fieldset>
    </Paper>
  )
}
