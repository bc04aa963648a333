import { TASK_KINDS, type Task, type TaskRun } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { type NewTask, type TaskAction, taskQueries, useAddTask, useTaskAction } from '#data/tasks.ts'
import { formatDuration } from '#format/duration.ts'
import { formatDateTime } from '#format/time.ts'
import { createFailureToasts, formFailure, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { notify } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { SelectField, TextField } from '#ui/control/field.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { PageDrawer } from '#ui/frame/drawer.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import type { Tone } from '#ui/look/tone.ts'
import { Loaded } from '#ui/state/loaded.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './panels.module.css'
import { RecordLink } from './record-link.tsx'
import { scheduleText } from './schedule-text.ts'

const { tasksTab: words } = copy
const COLUMNS = words.columns.map((title) => ({ title }))
const RUN_COLUMNS = words.runColumns.map((title) => ({ title }))

/** ADB-14: tasks with their schedule in words, next and last run; ADB-15: run now, switch, delete, add. */
export function TasksPanel() {
  const list = useQuery(taskQueries.list())
  const [isAdding, setIsAdding] = useState(false)
  const [shown, setShown] = useState<Task>()
  const { ask, dialog } = useConfirm()
  const act = useTaskAction({
    ...createFailureToasts<TaskAction>({
      name: ({ task }) => `task ${task.id}`,
      unknown: ({ task }) => words.unknown(task.name),
    }),
    onDone: (run, { task, action }) => {
      if (run === undefined || run.state === 'done') notify('success', words.done[action](task.name))
      else notify('error', words.runFailed(task.name, run.message ?? run.state))
    },
  })
  const askToDelete = (task: Task) =>
    ask({
      question: words.deleteQuestion(task.name),
      detail: words.deleteDetail,
      action: words.delete,
      onConfirm: () => act.run({ task, action: 'delete' }),
    })
  return (
    <Card title={words.title} actions={<Button onClick={() => setIsAdding(true)}>{words.add}</Button>}>
      {isAdding && <TaskForm onClose={() => setIsAdding(false)} />}
      <Loaded load={list} loading={words.loading} failed={words.failed}>
        {(tasks) =>
          tasks.length === 0 ? (
            <p className={classes.hint}>{words.none}</p>
          ) : (
            <Table label={words.title} columns={COLUMNS}>
              {tasks.map((task) => (
                <TaskRow
                  key={task.id}
                  task={task}
                  busy={act.pendingSubjects.has(String(task.id))}
                  on={{
                    run: () => act.run({ task, action: 'run' }),
                    toggle: () => act.run({ task, action: 'toggle' }),
                    remove: () => askToDelete(task),
                    history: () => setShown(task),
                  }}
                />
              ))}
            </Table>
          )
        }
      </Loaded>
      {shown && <History task={shown} onClose={() => setShown(undefined)} />}
      {dialog}
    </Card>
  )
}

interface TaskRowProps {
  task: Task
  busy: boolean
  on: Readonly<Record<'run' | 'toggle' | 'remove' | 'history', () => void>>
}

function TaskRow({ task, busy, on }: TaskRowProps) {
  const { name, is_enabled, is_running } = task
  const label = (action: string) => `${action} ${name}`
  return (
    <tr>
      <Cell>{name}</Cell>
      <Cell mono>{task.kind}</Cell>
      <Cell>{scheduleText(task.schedule, task.time_zone)}</Cell>
      <Cell>{task.next_run_at ? formatDateTime(task.next_run_at) : words.never}</Cell>
      <Cell>{task.last_run_at ? formatDateTime(task.last_run_at) : words.never}</Cell>
      <Cell>
        <Badge tone={is_running ? 'info' : is_enabled ? 'good' : 'calm'} dot>
          {is_running ? words.running : is_enabled ? copy.enabled : copy.disabled}
        </Badge>
      </Cell>
      <Cell>
        <span className={classes.actions}>
          <Button busy={busy || is_running === true} aria-label={label(words.run)} onClick={on.run}>
            {words.run}
          </Button>
          <Button aria-label={label(words.history)} onClick={on.history}>
            {words.history}
          </Button>
          <Button
            busy={busy}
            aria-label={label(is_enabled ? copy.configsTab.disable : copy.configsTab.enable)}
            onClick={on.toggle}
          >
            {is_enabled ? copy.configsTab.disable : copy.configsTab.enable}
          </Button>
          <Button busy={busy} aria-label={label(words.delete)} onClick={on.remove}>
            {words.delete}
          </Button>
          <RecordLink entity="task" target={String(task.id)} />
        </span>
      </Cell>
    </tr>
  )
}

const RUN_TONES: Readonly<Partial<Record<TaskRun['state'], Tone>>> = {
  done: 'good',
  failed: 'bad',
  interrupted: 'bad',
  missed: 'warn',
  running: 'info',
}

function History({ task, onClose }: { task: Task; onClose: () => void }) {
  const runs = useQuery(taskQueries.history(task.id))
  return (
    <PageDrawer title={words.historyOf(task.name)} onClose={onClose}>
      <Loaded load={runs} loading={words.loading} failed={words.failed}>
        {(listed) =>
          listed.length === 0 ? (
            <p className={classes.hint}>{words.noRuns}</p>
          ) : (
            <Table label={words.historyOf(task.name)} columns={RUN_COLUMNS}>
              {listed.map((run) => (
                <tr key={run.id}>
                  <Cell>{formatDateTime(run.started_at ?? run.scheduled_for ?? '')}</Cell>
                  <Cell>
                    <Badge tone={RUN_TONES[run.state] ?? 'calm'}>{run.state}</Badge>
                  </Cell>
                  <Cell>{run.duration_ms == null ? '' : formatDuration(run.duration_ms)}</Cell>
                  <Cell>
                    <span className={classes.message}>{run.message}</span>
                  </Cell>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </PageDrawer>
  )
}

const BLANK: NewTask = { name: '', kind: 'backup.make', schedule: '0 3 * * *', time_zone: 'UTC' }
const FIELDS = ['name', 'kind', 'schedule', 'time_zone']

function TaskForm({ onClose }: { onClose: () => void }) {
  const [task, setTask] = useState(BLANK)
  const add = useAddTask({
    onFailure: toastFailureAfterUnmount(words.addUnknown),
    onDone: (_, { name }) => {
      notify('success', words.added(name))
      onClose()
    },
  })
  const failure = add.failure && formFailure(add.failure, { unknown: words.addUnknown, fields: FIELDS })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    add.run(task)
  }
  return (
    <form className={classes.form} aria-label={words.add} noValidate onSubmit={submit}>
      <TextField
        label={words.name}
        value={task.name}
        error={failure?.fields.name}
        onChange={(name) => setTask({ ...task, name })}
      />
      <SelectField
        label={words.kind}
        value={task.kind}
        options={TASK_KINDS.map((value) => ({ value, label: words.kinds[value] }))}
        onChange={(kind) => setTask({ ...task, kind })}
      />
      <TextField
        label={words.schedule}
        value={task.schedule}
        error={failure?.fields.schedule}
        hint={scheduleText(task.schedule, task.time_zone ?? 'UTC')}
        onChange={(schedule) => setTask({ ...task, schedule })}
      />
      <TextField
        label={words.timeZone}
        value={task.time_zone ?? ''}
        error={failure?.fields.time_zone}
        onChange={(time_zone) => setTask({ ...task, time_zone })}
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
