import { type Endpoint, exampleOf } from '@binnacle/contract'
import { useState } from 'react'
import classes from './call-example.module.css'
import { copy } from './copy.ts'

export interface CallExampleProps {
  endpoint: Endpoint
}

/** DOCS-13: request and reply, computed when they are opened. */
export function CallExample({ endpoint }: CallExampleProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { body, reply, status, produces } = endpoint
  return (
    <details className={classes.example} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{copy.example.title}</summary>
      {isOpen && body && <Code title={copy.example.request} text={format(exampleOf(body))} />}
      {isOpen && (
        <Code
          title={copy.example.reply(status)}
          text={produces ? copy.example.file(produces.join(', ')) : format(exampleOf(reply))}
        />
      )}
    </details>
  )
}

function Code({ title, text }: { title: string; text: string }) {
  return (
    <>
      <h4>{title}</h4>
      <pre>{text}</pre>
    </>
  )
}

function format(example: unknown): string {
  return JSON.stringify(example, null, 2)
}
