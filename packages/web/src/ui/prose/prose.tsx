import { Fragment, type ReactNode } from 'react'
import { Cell, Table } from '#ui/list/table.tsx'
import { type Block, parseProse } from './parse-prose.ts'
import classes from './prose.module.css'

export interface ProseProps {
  text: string
  /** Where a picture that the text names is found in the built site; others are left out. */
  pictures?: Readonly<Record<string, string>>
}

/** A page of our own documentation. */
export function Prose({ text, pictures = {} }: ProseProps) {
  return (
    <div className={classes.prose}>
      {parseProse(text).map((block) => (
        <Fragment key={JSON.stringify(block)}>{renderBlock(block, pictures)}</Fragment>
      ))}
    </div>
  )
}

function renderBlock(block: Block, pictures: Readonly<Record<string, string>>): ReactNode {
  switch (block.kind) {
    case 'heading':
      return block.level === 2 ? <h2>{inline(block.text)}</h2> : <h3>{inline(block.text)}</h3>
    case 'paragraph':
      return <p>{inline(block.text)}</p>
    case 'list':
      return <ListBlock ordered={block.ordered} items={block.items} />
    case 'code':
      return <pre>{block.text}</pre>
    case 'table':
      return <TableBlock head={block.head} rows={block.rows} />
    case 'image':
      return pictures[block.source] && <img src={pictures[block.source]} alt={block.alt} />
    default:
      return block satisfies never
  }
}

function ListBlock({ ordered, items }: { ordered: boolean; items: readonly string[] }) {
  const entries = items.map((item) => <li key={item}>{inline(item)}</li>)
  return ordered ? <ol>{entries}</ol> : <ul>{entries}</ul>
}

function TableBlock({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <Table label={head.join(', ')} columns={head.map((title) => ({ title }))}>
      {rows.map((row) => (
        <tr key={row.join('|')}>
          {row.map((cell, column) => (
            <Cell key={head[column] ?? cell}>{inline(cell)}</Cell>
          ))}
        </tr>
      ))}
    </Table>
  )
}

/** `code`, **bold** and the words of [links](elsewhere): addresses inside the repository mean nothing here. */
function inline(text: string): ReactNode {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/).map((part, place) => {
    const key = `${place} ${part}`
    if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>
    if (part.startsWith('**')) return <strong key={key}>{part.slice(2, -2)}</strong>
    return <Fragment key={key}>{part.replace(/^\[([^\]]+)\]\([^)]+\)$/, '$1')}</Fragment>
  })
}
