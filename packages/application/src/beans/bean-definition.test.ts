import { expect, it } from 'vitest';
import { checkDefinition } from './bean-definition.ts';

const create = () => 1;

it.each([
  [{ type: '', create }, /^clumsy defines the bean mine with a type that is no text;/],
  [{ type: 7, create }, /with a type that is no text;/],
  [{ needs: 'clock', create }, /with needs that are no list of names;/],
  [{ needs: [1], create }, /with needs that are no list of names;/],
  [{ type: 'Mine' }, /without a function create;/],
  [{ type: 'Mine', create: 1 }, /without a function create;/],
  [{ type: 'Mine', create, scope: 'prototype' }, /it is singleton, request or session/],
  [{ type: 'Mine', create, start: true }, /with a start that is no function;/],
  [undefined, /without a definition;/],
])('%j is no definition of a bean', (definition, sentence) => {
  expect(() => checkDefinition('clumsy', 'mine', definition)).toThrow(sentence);
});

it.each(['singleton', 'request', 'session', undefined])('a bean of the scope %s with a create is fine', (scope) => {
  expect(() => checkDefinition('clumsy', 'mine', { create, scope, stop: create })).not.toThrow();
});
