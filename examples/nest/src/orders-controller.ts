import { BadRequestException, Body, Controller, Post } from '@nestjs/common';
import { type Order, Orders } from './orders.ts';

@Controller('orders')
export class OrdersController {
  constructor(private readonly orders: Orders) {}

  @Post()
  place(@Body() body: { net?: number; country?: string }): Order {
    const order = this.orders.place(Number(body.net), String(body.country));
    if (order === undefined) throw new BadRequestException('We do not sell there.');
    return order;
  }
}
