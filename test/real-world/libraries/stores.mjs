/** Stores of state, and values that are read through a proxy. */
export const stores = {
  'Redux store': {
    package: '@reduxjs/toolkit',
    line: '1 entry: cart',
    async make() {
      const { configureStore, createSlice } = await import('@reduxjs/toolkit');
      const cart = createSlice({
        name: 'cart',
        initialState: { count: 0, token: 'reduxHunter2pw' },
        reducers: {
          add(state) {
            state.count++;
          },
        },
      });
      const store = configureStore({ reducer: { cart: cart.reducer } });
      store.dispatch(cart.actions.add());
      return store;
    },
  },
  'zustand store': {
    package: 'zustand',
    line: 'bears 0',
    async make() {
      const { createStore } = await import('zustand/vanilla');
      return createStore((set) => ({ bears: 0, add: () => set({ bears: 1 }) }));
    },
  },
  'xstate actor': {
    package: 'xstate',
    line: 'red, status active, 0 observers',
    async make() {
      const { createMachine, createActor } = await import('xstate');
      const states = { green: { on: { NEXT: 'red' } }, red: {} };
      const actor = createActor(createMachine({ id: 'light', initial: 'green', context: { cars: 1 }, states })).start();
      actor.send({ type: 'NEXT' });
      return actor;
    },
    end: (actor) => actor.stop(),
  },
  BehaviorSubject: {
    package: 'rxjs',
    line: 'open, 1 observer',
    async make() {
      const { BehaviorSubject } = await import('rxjs');
      const subject = new BehaviorSubject({ count: 1 });
      subject.subscribe(() => {});
      return subject;
    },
  },
  ReplaySubject: {
    package: 'rxjs',
    line: 'open, 0 observers, 2 buffered',
    async make() {
      const { ReplaySubject } = await import('rxjs');
      const subject = new ReplaySubject(3);
      subject.next(1);
      subject.next(2);
      return subject;
    },
  },
  'MobX observable': {
    package: 'mobx',
    line: 'a 1',
    async make() {
      const { observable } = await import('mobx');
      return observable({ a: 1, b: { c: 2 } });
    },
  },
  'MobX class': {
    package: 'mobx',
    line: 'count 1, double 2',
    async make() {
      const { makeAutoObservable } = await import('mobx');
      class Cart {
        count = 1;
        items = [{ id: 1 }];

        constructor() {
          makeAutoObservable(this);
        }

        get double() {
          return this.count * 2;
        }
      }
      return new Cart();
    },
  },
  'MobX map': {
    package: 'mobx',
    line: '1 entry',
    async make() {
      const { observable } = await import('mobx');
      return observable.map([['k', 1]]);
    },
  },
  'Vue reactive': {
    package: 'vue',
    line: 'count 1, cart: 1 entry',
    async make() {
      const { reactive } = await import('vue');
      return reactive({ cart: [{ id: 1 }], count: 1 });
    },
  },
  'Vue ref': {
    package: 'vue',
    line: 'a 1',
    async make() {
      const { ref } = await import('vue');
      return ref({ a: 1 });
    },
  },
  'Immer draft': {
    package: 'immer',
    line: 'a 1',
    async make() {
      const { createDraft } = await import('immer');
      return createDraft({ a: 1 });
    },
  },
  'TanStack QueryClient': {
    package: '@tanstack/query-core',
    line: '1 query, 0 mutations',
    document: { '["todos",1]': [{ id: 1 }] },
    async make() {
      const { QueryClient } = await import('@tanstack/query-core');
      const client = new QueryClient();
      client.setQueryData(['todos', 1], [{ id: 1 }]);
      return client;
    },
    end: (client) => client.clear(),
  },
};
