import { types } from 'node:util';
import { type ContainerKind, containerKind, cursorOf, kindOfEntries } from '../entries/entries.ts';
import { collectionBehind } from '../entries/properties.ts';
import { LearnedTexts } from '../masking/learned-texts.ts';
import type { Masking } from '../masking/masking.ts';
import { isSecretKey, noSecret, type Secrecy, textsSecret } from '../masking/secret-key.ts';
import { isOrdinary } from '../objects/classes.ts';
import type { Context } from '../objects/context.ts';
import { type ContentOf, isCollection, mayHaveEntries } from '../objects/reflection.ts';
import { hiddenContent } from './hidden-content.ts';
import { type Link, pointerOf } from './pointer.ts';

/** How many entries are scanned in all: enough for the settings near the root of a bean. */
const maxEntries = 10_000;
/** How many entries are scanned in one container. */
const maxInOne = 1000;

interface Scanned {
  readonly object: object;
  readonly kind: ContainerKind;
  readonly secrecy: Secrecy;
  readonly link: Link;
  /** Whether it is directly under a secret key, not deeper in plain data under one. */
  readonly isDirect: boolean;
}

/**
 * Extends the masking with the texts under secret keys of a value, which are then masked everywhere. Scans breadth first, each object once, and
 * runs no code of a bean except by views.
 */
export function learningMasking(root: unknown, masking: Masking, context: Context, contentOf?: ContentOf): Masking {
  if (!mayHaveEntries(root)) return masking;
  const learned = new LearnedTexts();
  if (masking.learned !== undefined) learned.addAll(masking.learned);
  scan(root, masking, context, contentOf, learned);
  return learned.isEmpty ? masking : masking.withLearned(learned);
}

function scan(
  root: object,
  masking: Masking,
  context: Context,
  contentOf: ContentOf | undefined,
  learned: LearnedTexts,
): void {
  const queue: Scanned[] = [];
  const seen = new Set<object>();
  const isSecretRoot = masking.secretData?.has(root) === true;

  const add = (value: object, secrecy: Secrecy, link: Link, isDirect: boolean): void => {
    if (seen.has(value) || ArrayBuffer.isView(value)) return;
    seen.add(value);
    const isProxy = types.isProxy(value);
    const content = isProxy ? contentOf?.(value)?.() : hiddenContent(value, contentOf, context)?.value;
    if (mayHaveEntries(content)) add(content, isProxy ? noSecret : secrecy, link, isDirect);
    if (isProxy) return;
    const collection = collectionBehind(value);
    const kind =
      collection !== undefined
        ? kindOfEntries(collection)
        : isOrdinary(value, context.classOf(value))
          ? 'object'
          : containerKind(value, context, true);
    const inherits =
      secrecy !== noSecret && (kind !== 'object' || isCollection(value) || context.classOf(value).isPlain);
    queue.push({ object: collection ?? value, kind, secrecy: inherits ? secrecy : noSecret, link, isDirect });
  };

  add(root, isSecretRoot ? textsSecret : noSecret, { parent: undefined, key: '' }, true);
  let left = maxEntries;
  for (const { object, kind, secrecy: inherited, link, isDirect } of queue) {
    const pathTo = (key: string | number) => pointerOf({ parent: link, key }, masking);
    const secrecyOf = (key: string | number) => masking.secrecyOf(key, pathTo, inherited);
    const cursor = cursorOf(object, { context, secrecyOf, isDataOnly: true }, kind);
    const isItem = kind === 'array' || kind === 'set';
    for (let rest = maxInOne; rest > 0 && left > 0 && cursor.next(); rest--, left--) {
      const { key, value, secrecy } = cursor;
      const isText = typeof value === 'string';
      if (isText ? secrecy === noSecret : !mayHaveEntries(value)) continue;
      const isOwn = inherited === noSecret || isSecretRoot || (isItem ? isDirect : isSecretKey(String(key)));
      if (!isText) add(value as object, secrecy, { parent: link, key }, isOwn);
      else if (isOwn || looksSecret(value)) learned.add(value);
    }
    if (left <= 0) return;
  }
}

/** Texts deeper in plain data under a secret key, such as domains and roles, are learned only if they look like secrets. */
const looksSecret = (text: string) => text.length >= 8 && /\d/.test(text) && /[a-z]/i.test(text);
