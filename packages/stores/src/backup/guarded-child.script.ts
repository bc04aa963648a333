import { spawn } from 'node:child_process'

/**
 * Runs a program that ends with the server, even when the server is killed: the channel to it closes then. PostgreSQL's
 * programs would go on by themselves.
 */
const [program = '', ...args] = process.argv.slice(2)
const child = spawn(program, args, { stdio: 'inherit' })

process.on('disconnect', () => {
  child.kill('SIGKILL')
  process.exit(1)
})
child.on('error', (fault) => {
  process.stderr.write(fault.message)
  process.exit(1)
})
child.on('exit', (code) => process.exit(code ?? 1))
