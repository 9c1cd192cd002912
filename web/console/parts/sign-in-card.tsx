import { Alert, Group, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Logo } from './icons.tsx'

/** The card of the pages for people who are not signed in: sign-in, invitation, reset. */
export function SignInCard(props: { title: string; text?: string | undefined; children: ReactNode }) {
  return (
    <main className="sign-in">
      <Paper className="sign-in-card" p="xl" shadow="md">
        <Group gap="xs" mb="lg">
          <Logo size={30} />
          <Text fw={700} fz="lg" lts="-0.02em">
            Wheelhouse
          </Text>
        </Group>
        <Title order={1} fz="1.4rem">
          {props.title}
        </Title>
        {props.text === undefined ? null : (
          <Text c="dimmed" mt={4}>
            {props.text}
          </Text>
        )}
        {props.children}
      </Paper>
    </main>
  )
}

/** The reason for a refused sign-in, if any. */
export function Refused({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <Alert color="red" variant="light" role="alert">
      {text}
    </Alert>
  )
}
