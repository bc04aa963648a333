import type { ApiConfig } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import { useAddConfig, useDeleteConfig, useToggleConfig } from '#data/admin-users.ts'
import { createFailureToasts, formFailure, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { notify } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { TextField } from '#ui/control/field.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './panels.module.css'
import { RecordLink } from './record-link.tsx'

const { configsTab: words } = copy
const COLUMNS = [...copy.configColumns, copy.usersTab.actions].map((title) => ({ title }))

/** ADB-13: configurations are added, enabled, disabled and deleted. */
export function ConfigsPanel({ configs }: { configs: readonly ApiConfig[] }) {
  const [isAdding, setIsAdding] = useState(false)
  const { ask, dialog } = useConfirm()
  const toggle = useToggleConfig(
    createFailureToasts<ApiConfig>({
      name: ({ id }) => `config ${id}`,
      unknown: ({ name }) => words.unknown(name),
    }),
  )
  const remove = useDeleteConfig(
    createFailureToasts({ name: (id) => `config ${id}`, unknown: () => words.deleteUnknown }),
  )
  const askToDelete = ({ id, name }: ApiConfig) =>
    ask({ question: words.deleteQuestion(name), action: words.delete, onConfirm: () => remove.run(id) })
  return (
    <Card title={copy.configs} actions={<Button onClick={() => setIsAdding(true)}>{words.add}</Button>}>
      {isAdding && <ConfigForm onClose={() => setIsAdding(false)} />}
      {configs.length === 0 ? (
        <p className={classes.hint}>{copy.noConfigs}</p>
      ) : (
        <Table label={copy.configs} columns={COLUMNS}>
          {configs.map((config) => (
            <tr key={config.id}>
              <Cell>{config.name}</Cell>
              <Cell mono>{config.endpoint}</Cell>
              <Cell>
                <Badge tone={config.is_enabled ? 'good' : 'calm'} dot>
                  {config.is_enabled ? copy.enabled : copy.disabled}
                </Badge>
              </Cell>
              <Cell>
                <span className={classes.actions}>
                  <Button
                    busy={toggle.pendingSubjects.has(String(config.id))}
                    aria-label={`${config.is_enabled ? words.disable : words.enable} ${config.name}`}
                    onClick={() => toggle.run(config)}
                  >
                    {config.is_enabled ? words.disable : words.enable}
                  </Button>
                  <Button
                    busy={remove.pendingSubjects.has(String(config.id))}
                    aria-label={`${words.delete} ${config.name}`}
                    onClick={() => askToDelete(config)}
                  >
                    {words.delete}
                  </Button>
                  <RecordLink entity="api-config" target={String(config.id)} />
                </span>
              </Cell>
            </tr>
          ))}
        </Table>
      )}
      {dialog}
    </Card>
  )
}

function ConfigForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [endpoint, setEndpoint] = useState('')
  const add = useAddConfig({
    onFailure: toastFailureAfterUnmount(words.addUnknown),
    onDone: (_, added) => {
      notify('success', words.added(added.name))
      onClose()
    },
  })
  const failure =
    add.failure && formFailure(add.failure, { unknown: words.addUnknown, fields: ['name', 'endpoint'] })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    add.run({ name, endpoint, is_enabled: 1 })
  }
  return (
    <form className={classes.form} aria-label={words.add} noValidate onSubmit={submit}>
      <TextField label={words.name} value={name} error={failure?.fields.name} onChange={setName} />
      <TextField
        label={words.endpoint}
        value={endpoint}
        error={failure?.fields.endpoint}
        onChange={setEndpoint}
      />
      {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
      <span className={classes.actions}>
        <Button kind="primary" type="submit" busy={add.isPending}>
          {words.create}
        </Button>
        <Button onClick={onClose}>{copy.cancel}</Button>
      </span>
    </form>
  )
}
