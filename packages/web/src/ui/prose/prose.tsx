import type { MarkedToken, Token, Tokens } from 'marked'
import { Fragment, type ReactNode, useMemo } from 'react'
import { Link, useLocation } from 'react-router'
import { Cell, Table } from '#ui/list/table.tsx'
import { type Document, known, parseMarkdown, plainText } from './markdown.ts'
import classes from './prose.module.css'

export interface ProseProps {
  /** Markdown. Raw HTML in it is shown as text. */
  text: string
  /** Lists the h2 headings as links above the text. */
  contents?: string | undefined
  /** The address in the console of a file of the repository; a link to another file is shown as text. */
  resolveLink?: (href: string) => string | undefined
  /** The address of an image; one without an address is replaced by its description. */
  resolveImage?: (source: string) => string | undefined
}

/** Renders Markdown as React elements, never as an HTML string, so nothing in a text can run. */
export function Prose({ text, contents, ...resolvers }: ProseProps) {
  const document = useMemo(() => parseMarkdown(text), [text])
  const target = useLocation().hash.slice(1)
  const context = { ...resolvers, document, target }
  return (
    <div className={classes.prose}>
      {contents && <Contents label={contents} document={document} />}
      {renderTokens(document.tokens, context)}
    </div>
  )
}

function Contents({ label, document }: { label: string; document: Document }) {
  const chapters = [...document.headings.values()].filter(({ level }) => level === 2)
  if (chapters.length < 2) return null
  return (
    <nav aria-label={label} className={classes.contents}>
      <ul>
        {chapters.map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface RenderContext extends Pick<ProseProps, 'resolveLink' | 'resolveImage'> {
  document: Document
  /** Id of the heading that the address names. */
  target: string
}

function renderTokens(tokens: readonly Token[], context: RenderContext): ReactNode {
  return renderEach(known(tokens), (token) => renderToken(token, context))
}

/** Keyed by position, which is stable because a parsed text never changes. */
function renderEach<Item>(items: readonly Item[], render: (item: Item) => ReactNode): ReactNode {
  return [...items.entries()].map(([position, item]) => <Fragment key={position}>{render(item)}</Fragment>)
}

function renderToken(token: MarkedToken, context: RenderContext): ReactNode {
  switch (token.type) {
    case 'heading':
      return renderHeading(token, context)
    case 'paragraph':
      return <p>{renderTokens(token.tokens, context)}</p>
    case 'list':
      return renderList(token, context)
    case 'list_item':
      return <li>{renderTokens(token.tokens, context)}</li>
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'blockquote':
      return <blockquote>{renderTokens(token.tokens, context)}</blockquote>
    case 'code':
      return <pre>{token.text}</pre>
    case 'table':
      return renderTable(token, context)
    case 'hr':
      return <hr />
    case 'strong':
      return <strong>{renderTokens(token.tokens, context)}</strong>
    case 'em':
      return <em>{renderTokens(token.tokens, context)}</em>
    case 'del':
      return <del>{renderTokens(token.tokens, context)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return renderLink(token, context)
    case 'image':
      return renderImage(token, context)
    case 'text':
      return token.tokens ? renderTokens(token.tokens, context) : token.text
    case 'escape':
      return token.text
    case 'html':
      return token.text.startsWith('<!--') ? null : token.text
    case 'space':
    case 'def':
      return null
    default:
      return token satisfies never
  }
}

function renderHeading(token: Tokens.Heading, { document, target, ...context }: RenderContext): ReactNode {
  const { id, level } = document.headings.get(token) ?? { id: undefined, level: 4 }
  const Level = `h${level}` as const
  return (
    // The heading may appear after the browser has looked for the fragment, so it scrolls itself into view.
    <Level id={id} ref={id === target && target !== '' ? scrollIntoView : null}>
      {renderTokens(token.tokens, { document, target, ...context })}
    </Level>
  )
}

function scrollIntoView(heading: HTMLElement | null): void {
  heading?.scrollIntoView()
}

function renderList({ ordered, start, items }: Tokens.List, context: RenderContext): ReactNode {
  const entries = renderTokens(items, context)
  return ordered ? <ol start={start === '' ? undefined : start}>{entries}</ol> : <ul>{entries}</ul>
}

function renderTable({ header, rows }: Tokens.Table, context: RenderContext): ReactNode {
  const columns = header.map(({ tokens, align }) => ({ title: plainText(tokens), align: alignOf(align) }))
  return (
    <Table label={columns.map(({ title }) => title).join(', ')} columns={columns}>
      {renderEach(rows, (row) => (
        <tr>
          {renderEach(row, ({ tokens, align }) => (
            <Cell align={alignOf(align)}>{renderTokens(tokens, context)}</Cell>
          ))}
        </tr>
      ))}
    </Table>
  )
}

function alignOf(align: Tokens.TableCell['align']): 'start' | 'end' {
  return align === 'right' ? 'end' : 'start'
}

/** Only https, http, fragments of the page and resolved files are links; `javascript:` and the rest are text. */
function renderLink({ href, tokens }: Tokens.Link, context: RenderContext): ReactNode {
  const words = renderTokens(tokens, context)
  if (href.startsWith('#')) return <a href={href}>{words}</a>
  const address = context.resolveLink?.(href)
  if (address !== undefined) return <Link to={address}>{words}</Link>
  if (!/^https?:\/\//i.test(href)) return words
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {words}
    </a>
  )
}

function renderImage({ href, text }: Tokens.Image, { resolveImage }: RenderContext): ReactNode {
  const source = resolveImage?.(href)
  return source === undefined ? <em>{text}</em> : <img src={source} alt={text} />
}
