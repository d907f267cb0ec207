import { types } from 'node:util';
import { dataView, typedArrayView } from './intrinsics.ts';

/** The bytes behind a buffer, typed array, view or array buffer; undefined for anything else. */
export function bytesOf(value: object): Uint8Array | undefined {
  const isView = ArrayBuffer.isView(value);
  if (!isView && !types.isAnyArrayBuffer(value)) return undefined;
  try {
    return readable(isView ? viewedBytes(value) : new Uint8Array(value));
  } catch {
    // The memory was handed to somebody else, or became too short for the view.
    return new Uint8Array();
  }
}

/** `Buffer` asks the memory for its length, which may be replaced; then the bytes are copied. */
function readable(bytes: Uint8Array): Uint8Array {
  const { buffer } = bytes;
  const prototype: unknown = Object.getPrototypeOf(buffer);
  const isOrdinary = prototype === ArrayBuffer.prototype || prototype === SharedArrayBuffer.prototype;
  if (isOrdinary && !Object.hasOwn(buffer, 'byteLength')) return bytes;
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return copy;
}

function viewedBytes(view: ArrayBufferView): Uint8Array {
  const { buffer, byteOffset, byteLength } = types.isDataView(view) ? dataView : typedArrayView;
  return new Uint8Array(buffer(view), byteOffset(view), byteLength(view));
}

/** The base64 text of as many bytes as fit into so many characters, and how many characters were left off. */
export function base64Within(bytes: Uint8Array, longest: number): { text: string; left: number } {
  const whole = Math.ceil(bytes.length / 3) * 4;
  const shown = whole <= longest ? bytes : bytes.subarray(0, Math.floor(longest / 4) * 3);
  const text = Buffer.from(shown.buffer, shown.byteOffset, shown.byteLength).toString('base64');
  return { text, left: whole - text.length };
}
