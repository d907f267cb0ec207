/** Greets people, and remembers how many. */
export class Greeter {
  readonly name: string;
  greeted = 0;

  constructor(name: string) {
    this.name = name;
  }

  greet(): string {
    this.greeted++;
    return `Hello, ${this.name}!\n`;
  }
}
