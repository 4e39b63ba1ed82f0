import type { CallAnswer, CallEnd } from './call-table.js'
import type { JsonCodec } from './json/codec.js'
import { describeRefusal } from './json/refusal.js'
import { thrownText, UNREADABLE } from './text.js'

export type EncodedReply = Omit<CallEnd, 'atMs'> & { readonly text: string }

/** The reply frame's text: a value is encoded once, at the moment it is validated. */
export const encodeReply = (id: number, answer: CallAnswer, codec: JsonCodec): EncodedReply => {
  if (!answer.ok) return failure(id, thrownText(answer.thrown), codec)
  const encoded = codec.encode(answer.value)
  if (encoded.ok) {
    const text = `{"type":"reply","id":${id},"ok":true,"value":${encoded.text}}`
    return { text, state: 'succeeded', replyBytes: encoded.bytes }
  }
  return failure(id, `the binding's resolution cannot cross: ${describeRefusal(encoded)}`, codec)
}

// V8 makes no string of 512 MiB: a message can be too long to be escaped.
const failure = (id: number, message: string, codec: JsonCodec): EncodedReply => {
  const encoded = codec.encode(message)
  const [error, errorText] = encoded.ok ? [message, encoded.text] : [UNREADABLE, `"${UNREADABLE}"`]
  return {
    text: `{"type":"reply","id":${id},"ok":false,"message":${errorText}}`,
    state: 'failed',
    replyBytes: codec.utf8Bytes(errorText),
    error,
  }
}
