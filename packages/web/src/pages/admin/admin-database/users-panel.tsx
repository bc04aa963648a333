import { ROLES, type User } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import { type NewUser, type UserAction, useAddUser, useChangeUser } from '#data/admin-users.ts'
import { createFailureToasts, formFailure, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { notify } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { SelectField, TextField } from '#ui/control/field.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './panels.module.css'
import { RecordLink } from './record-link.tsx'

const { usersTab: words } = copy
const COLUMNS = [...copy.userColumns, words.actions].map((title) => ({ title }))
const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: value }))

/** ADB-12: users are added, get another role, and are deactivated and activated again. */
export function UsersPanel({ users }: { users: readonly User[] }) {
  const [isAdding, setIsAdding] = useState(false)
  const { ask, dialog } = useConfirm()
  const change = useChangeUser({
    ...createFailureToasts<UserAction>({
      name: ({ user }) => `user ${user.id}`,
      unknown: ({ user }) => words.unknown(user.username),
    }),
    onDone: (_, { user }) => notify('success', words.changed(user.username)),
  })
  const deactivate = (user: User) =>
    ask({
      question: words.deactivateQuestion(user.username),
      detail: words.deactivateDetail,
      action: words.deactivate,
      onConfirm: () => change.run({ user, change: { is_active: 0 } }),
    })
  return (
    <Card title={copy.users} actions={<Button onClick={() => setIsAdding(true)}>{words.add}</Button>}>
      {isAdding && <UserForm onClose={() => setIsAdding(false)} />}
      <p className={classes.hint}>{copy.noSignIn}</p>
      <Table label={copy.users} columns={COLUMNS}>
        {users.map((user) => (
          <tr key={user.id}>
            <Cell>{user.username}</Cell>
            <Cell>{user.email || copy.noEmail}</Cell>
            <Cell>
              <SelectField
                label={words.roleOf(user.username)}
                labelHidden
                value={user.role}
                disabled={change.pendingSubjects.has(String(user.id))}
                options={
                  ROLE_OPTIONS.some(({ value }) => value === user.role)
                    ? ROLE_OPTIONS
                    : [...ROLE_OPTIONS, { value: user.role, label: user.role }]
                }
                onChange={(chosen) => {
                  const role = ROLES.find((known) => known === chosen)
                  if (role !== undefined) change.run({ user, change: { role } })
                }}
              />
            </Cell>
            <Cell>
              <Badge tone={user.is_active ? 'good' : 'calm'} dot>
                {user.is_active ? copy.active : copy.inactive}
              </Badge>
            </Cell>
            <Cell>
              <span className={classes.actions}>
                <Button
                  busy={change.pendingSubjects.has(String(user.id))}
                  aria-label={`${user.is_active ? words.deactivate : words.activate} ${user.username}`}
                  onClick={() =>
                    user.is_active ? deactivate(user) : change.run({ user, change: { is_active: 1 } })
                  }
                >
                  {user.is_active ? words.deactivate : words.activate}
                </Button>
                <RecordLink entity="user" target={String(user.id)} />
              </span>
            </Cell>
          </tr>
        ))}
      </Table>
      {dialog}
    </Card>
  )
}

function UserForm({ onClose }: { onClose: () => void }) {
  const [texts, setTexts] = useState<NewUser>({ username: '', email: '', role: 'viewer' })
  const add = useAddUser({
    onFailure: toastFailureAfterUnmount(words.addUnknown),
    onDone: (_, { username }) => {
      notify('success', words.added(username))
      onClose()
    },
  })
  const failure = add.failure && formFailure(add.failure, { unknown: words.addUnknown, fields: FIELDS })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const { password, ...user } = texts
    add.run({ ...user, ...(password && { password }) })
  }
  return (
    <form className={classes.form} aria-label={words.add} noValidate onSubmit={submit}>
      <TextField
        label={words.username}
        value={texts.username}
        error={failure?.fields.username}
        onChange={(username) => setTexts({ ...texts, username })}
      />
      <TextField
        label={words.email}
        type="email"
        value={texts.email}
        error={failure?.fields.email}
        onChange={(email) => setTexts({ ...texts, email })}
      />
      <SelectField
        label={words.role}
        value={texts.role}
        options={ROLE_OPTIONS}
        onChange={(role) => setTexts({ ...texts, role })}
      />
      <TextField
        label={words.password}
        labelNote={words.optional}
        type="password"
        autoComplete="new-password"
        value={texts.password ?? ''}
        error={failure?.fields.password}
        onChange={(password) => setTexts({ ...texts, password })}
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

const FIELDS = ['username', 'email', 'role', 'password']
