/**
 * Node's HTTP module. An import would read all its exports, one of which loads a whole HTTP client and WebSockets: 30 ms
 * of every start.
 */
export const { createServer, request, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')
