/** Creates a wheel, from a template or empty, with a preview that can be played. */
import { Grid, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { WheelsAnswer } from '../../../../src/http/answers/wheels.ts'
import { useAction } from '../../parts/action.ts'
import { Form, Submit } from '../../parts/form.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { TextField } from '../../parts/text-field.tsx'
import { useApi, useRead } from '../../session.tsx'
import { t } from '../../texts.ts'
import { Preview } from '../editor/preview.tsx'
import { slugOf } from '../editor/draft/slug.ts'
import { firstChoice, TemplateChoice, useTemplateWheel } from './template-choice.tsx'

export function NewWheel({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} size="65rem" title={<Text fw={650}>{t('wheels.new')}</Text>}>
      <NewWheelForm />
    </Modal>
  )
}

function NewWheelForm() {
  const api = useApi()
  const [, go] = useLocation()
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels')
  const [choice, setChoice] = useState(firstChoice)
  const [name, setName] = useState('')
  const wheel = useTemplateWheel(choice, name || t(`template.${choice.template}`))
  const create = useAction({
    mutationFn: async (slug: string) => {
      await api.put(`/api/v1/wheels/${slug}`, wheel)
      return slug
    },
    onSuccess: (slug) => go(`/m/${api.merchant}/wheels/${slug}`),
    onError: tellProblem,
  })
  const taken = wheels.data?.wheels.map((one) => one.wheel) ?? []
  return (
    <Form onSubmit={() => wheel !== undefined && create.mutate(slugOf(wheel.name, taken))}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, sm: 7 }}>
          <Stack>
            <TextField
              label={t('wheels.name')}
              description={t('wheels.nameHint')}
              placeholder={t(`template.${choice.template}`)}
              value={name}
              onChange={setName}
              lengthMax={80}
              data-autofocus
            />
            <TemplateChoice choice={choice} onChoice={setChoice} />
            <Submit loading={create.isPending}>{t('wheels.create')}</Submit>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 5 }}>
          {wheel === undefined ? null : <Preview wheel={wheel} language={null} opening={undefined} />}
        </Grid.Col>
      </Grid>
    </Form>
  )
}
